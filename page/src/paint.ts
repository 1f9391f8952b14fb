/** What both views draw over the bodies, on a 2D canvas: arrows, labels, names, contacts, lines of fused groups. */

import { type Arrow, centre, type Marks } from "./explain";
import { nameOf, UNIT, type Vector } from "./film";
import type { Scene } from "./scene";
import type { Palette } from "./theme";

export type Point = [number, number];
/** Returns where a point of the world is on the canvas, null if behind the camera. */
export type Project = (x: number, y: number, z: number) => Point | null;

export interface Options {
  names: boolean;
  cells: boolean;
  contacts: boolean;
}

const MOST_NAMES = 400;
const FONT = "12px system-ui, sans-serif";
const SMALL = "11px system-ui, sans-serif";

interface Rectangle {
  x: number;
  y: number;
  w: number;
  h: number;
}

export class Painter {
  private readonly placed: Rectangle[] = [];
  private readonly texts: { text: string; at: Point; colour: string }[] = [];

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly project: Project,
    private readonly palette: Palette,
  ) {
    context.lineJoin = "round";
    context.lineCap = "round";
  }

  paint(scene: Scene, marks: Marks, options: Options, selected: number): void {
    this.groups(scene);
    if (options.contacts) this.contacts(scene);
    this.asleep(scene);
    marks.arrows.forEach((arrow, index) => this.arrow(arrow, index));
    for (const { text, at, colour } of this.texts) this.label(text, at[0], at[1], colour);
    for (const label of marks.labels) {
      const at = this.project(...label.at);
      if (at) this.label(label.text, at[0], at[1] + 32, label.danger ? this.palette.danger : this.palette.text);
    }
    if (options.names) this.names(scene);
    else if (selected >= 0 && scene.now.shown[selected]) this.name(scene, selected);
  }

  /** Draw an arrow beside the line between its ends, each style on its own side, so that none hides another. */
  private arrow(arrow: Arrow, index: number): void {
    const from = this.project(...arrow.from);
    const to = this.project(...arrow.to);
    if (!from || !to) return;
    const { palette } = this;
    const colours = { requested: palette.quiet, made: palette.accent, pushed: palette.accent, link: palette.text };
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 3) return;
    const lanes = { requested: 17, made: 8, pushed: index % 2 ? -1 : -6, link: -15 };
    const aside = lanes[arrow.style];
    const dx = ((to[1] - from[1]) / length) * aside;
    const dy = (-(to[0] - from[0]) / length) * aside;
    const dashes = arrow.style === "requested" ? [6, 5] : arrow.style === "link" ? [2, 4] : [];
    const width = arrow.style === "made" ? 3 : arrow.style === "requested" ? 2 : 1.5;
    this.line([from[0] + dx, from[1] + dy], [to[0] + dx, to[1] + dy], colours[arrow.style], width, dashes);
    if (!arrow.text) return;
    const share = arrow.style === "link" ? 0.5 : arrow.style === "made" ? 0 : 1;
    const x = from[0] + dx + (to[0] - from[0]) * share;
    const y = from[1] + dy + (to[1] - from[1]) * share;
    this.texts.push({ text: arrow.text, at: [x, y + (aside > 0 ? -18 : 14)], colour: colours[arrow.style] });
  }

  private line(from: Point, to: Point, colour: string, width: number, dashes: number[] = []): void {
    const { context } = this;
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const head = Math.min(5 + 2 * width, Math.hypot(to[0] - from[0], to[1] - from[1]));
    const end: Point = [to[0] - Math.cos(angle) * head * 0.7, to[1] - Math.sin(angle) * head * 0.7];
    for (const [stroke, extra] of [[this.palette.stage, 3], [colour, 0]] as const) {
      context.strokeStyle = stroke;
      context.fillStyle = stroke;
      context.lineWidth = width + extra;
      context.setLineDash(extra ? [] : dashes);
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(...end);
      context.stroke();
      context.setLineDash([]);
      context.lineWidth = Math.max(1, extra);
      context.beginPath();
      context.moveTo(...to);
      for (const side of [2.65, -2.65]) {
        context.lineTo(to[0] + Math.cos(angle + side) * head, to[1] + Math.sin(angle + side) * head);
      }
      context.closePath();
      context.fill();
      if (extra) context.stroke();
    }
  }

  /** Draw a text on a card, below others that are already there. */
  private label(text: string, x: number, y: number, colour: string): void {
    const { context, palette } = this;
    context.font = FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
    const box = { w: context.measureText(short).width + 12, h: 19, x: 0, y: y - 9.5 };
    box.x = x - box.w / 2;
    for (let tries = 0; tries < 8 && this.placed.some((other) => meet(box, other)); tries++) box.y += box.h + 2;
    this.placed.push(box);
    context.fillStyle = palette.card;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(box.x, box.y, box.w, box.h, 5);
    context.fill();
    context.stroke();
    context.fillStyle = colour;
    context.fillText(short, x, box.y + 10);
  }

  private names(scene: Scene): void {
    for (let body = 0, drawn = 0; body < scene.count && drawn < MOST_NAMES; body++) {
      if (scene.now.shown[body] && this.name(scene, body)) drawn++;
    }
  }

  /** Write the name of a body above it, if there is room. */
  private name(scene: Scene, body: number): boolean {
    const box = scene.boundsOf(body);
    const top = this.project((box.x0 + box.x1) / 2, box.y0, (box.z0 + box.z1) / 2);
    if (!top) return false;
    const { context, palette } = this;
    context.font = SMALL;
    const entry = scene.film.bodies[body];
    const text = (entry.name ? nameOf(entry) : `#${entry.id}`).slice(0, 40);
    const width = context.measureText(text).width;
    const place = { x: top[0] - width / 2, y: top[1] - 13, w: width, h: 12 };
    if (this.placed.some((other) => meet(place, other))) return false;
    this.placed.push(place);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = palette.stage;
    context.strokeText(text, top[0], top[1] - 7);
    context.fillStyle = palette.text;
    context.fillText(text, top[0], top[1] - 7);
    return true;
  }

  private asleep(scene: Scene): void {
    const { context, palette } = this;
    const { asleep, shown } = scene.now;
    context.font = `italic 600 ${SMALL}`;
    context.textAlign = "right";
    context.textBaseline = "top";
    context.fillStyle = palette.text;
    for (let body = 0; body < scene.count; body++) {
      if (!asleep[body] || !shown[body]) continue;
      const box = scene.boundsOf(body);
      const corner = this.project(box.x1, box.y0, box.z0);
      const other = this.project(box.x0, box.y1, box.z0);
      if (corner && other && corner[0] - other[0] > 15 && other[1] - corner[1] > 15) {
        context.fillText("z", corner[0] - 4, corner[1] + 1);
      }
    }
  }

  /** Connect the bodies of each fused group in the order of their list. */
  private groups(scene: Scene): void {
    const { group, shown } = scene.now;
    const last = new Map<number, Point>();
    const { context, palette } = this;
    context.strokeStyle = palette.text;
    context.fillStyle = palette.text;
    context.lineWidth = 2;
    for (let body = 0; body < scene.count; body++) {
      if (group[body] < 0 || !shown[body]) continue;
      const at = this.project(...centre(scene, body));
      if (!at) continue;
      const before = last.get(group[body]);
      context.beginPath();
      if (before) {
        context.moveTo(...before);
        context.lineTo(...at);
        context.stroke();
      }
      context.beginPath();
      context.arc(...at, 3, 0, 2 * Math.PI);
      context.fill();
      last.set(group[body], at);
    }
  }

  private contacts(scene: Scene): void {
    for (const { bodies, normal } of scene.now.contacts.values()) {
      if (!scene.now.shown[bodies[0]] || !scene.now.shown[bodies[1]]) continue;
      const middle = between(scene, bodies[0], bodies[1]);
      const from = this.project(...middle);
      const to = this.project(middle[0] + normal[0] * UNIT, middle[1] + normal[1] * UNIT, middle[2] + normal[2] * UNIT);
      if (!from || !to) continue;
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const end: Point = [from[0] + ((to[0] - from[0]) / length) * 20, from[1] + ((to[1] - from[1]) / length) * 20];
      this.line(from, end, this.palette.contact, 2);
      this.context.beginPath();
      this.context.arc(...from, 3.5, 0, 2 * Math.PI);
      this.context.fill();
    }
  }
}

/** Return the middle of what the boxes of two bodies share, or of what is between them. */
function between(scene: Scene, a: number, b: number): Vector {
  const p = scene.boundsOf(a);
  const q = scene.boundsOf(b);
  return [
    (Math.max(p.x0, q.x0) + Math.min(p.x1, q.x1)) / 2,
    (Math.max(p.y0, q.y0) + Math.min(p.y1, q.y1)) / 2,
    (Math.max(p.z0, q.z0) + Math.min(p.z1, q.z1)) / 2,
  ];
}

function meet(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
