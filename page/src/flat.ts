/** The flat view: bodies on a 2D canvas. Kinds differ in colour and in their sign, so that colours are not needed. */

import { type Kind, KINDS } from "./film";
import { type Bounds, isInside, matrixOf, outline, partBounds } from "./geometry";
import type { Marks } from "./explain";
import { type Options, Painter, type Point } from "./paint";
import type { Scene } from "./scene";
import type { Palette } from "./theme";
import { fitCanvas } from "./dom";
import type { View } from "./view";

const SIGN_FROM = 13; // pixels; smaller bodies have no sign
const BORDER = 56; // pixels around everything, for buttons and legend
const CLICK_MOVES = 5; // pixels that a click may move

export class FlatView implements View {
  private readonly context: CanvasRenderingContext2D;
  private scale = 1; // pixels for a lattice unit
  private x = 0; // what is in the middle
  private y = 0;
  private width = 1;
  private height = 1;
  private ratio = 1;
  private hatch: CanvasPattern | null = null;
  private hatchColour = "";
  /** Cells that the last picture showed. */
  cellCount = 0;

  constructor(readonly canvas: HTMLCanvasElement, public scene: Scene, changed: () => void, picked: (x: number, y: number) => void) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.listen(changed, picked);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.ratio = Math.min(3, devicePixelRatio || 1);
    fitCanvas(this.canvas, width, height, this.ratio);
  }

  fit(box: Bounds): void {
    if (!(box.x0 <= box.x1)) return;
    this.x = (box.x0 + box.x1) / 2;
    this.y = (box.y0 + box.y1) / 2;
    const border = Math.min(BORDER, 0.1 * this.width, 0.1 * this.height);
    const wide = (this.width - 2 * border) / Math.max(1, box.x1 - box.x0);
    const high = (this.height - 2 * border) / Math.max(1, box.y1 - box.y0);
    this.scale = Math.max(1e-9, Math.min(wide, high));
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const scale = Math.max(1e-7, Math.min(0.1, this.scale * factor));
    this.x += (x - this.width / 2) * (1 / this.scale - 1 / scale);
    this.y += (y - this.height / 2) * (1 / this.scale - 1 / scale);
    this.scale = scale;
  }

  centreOn(x: number, y: number): void {
    this.x = x;
    this.y = y;
  }

  /** Show a point in the middle, at so many pixels for a lattice unit. */
  look(x: number, y: number, scale: number): void {
    this.centreOn(x, y);
    this.scale = scale;
  }

  project = (x: number, y: number): Point => [
    (x - this.x) * this.scale + this.width / 2,
    (y - this.y) * this.scale + this.height / 2,
  ];

  /** Return the body at a point of the canvas, the topmost one, or -1. */
  pick(px: number, py: number): number {
    const x = (px - this.width / 2) / this.scale + this.x;
    const y = (py - this.height / 2) / this.scale + this.y;
    const near = 4 / this.scale;
    for (const body of this.order().reverse()) {
      const { now } = this.scene;
      const turned = matrixOf(now.rotation[body]);
      for (const part of now.parts[body]) {
        if (isInside(outline(part, turned), part[6] + near, x - now.x[body], y - now.y[body])) return body;
      }
    }
    return -1;
  }

  draw(marks: Marks, options: Options, selected: number, palette: Palette): void {
    const { context, scene } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = palette.stage;
    context.fillRect(0, 0, this.width, this.height);
    this.prepareHatch(palette);
    for (const body of this.order()) this.body(body, palette);
    this.cellCount = options.cells ? this.cells(palette) : 0;
    for (const body of marks.blockers) this.outline(body, palette.danger, 3, palette);
    for (const body of marks.pushed) this.outline(body, palette.accent, 2, palette);
    if (selected >= 0) this.outline(selected, palette.accent, 4, palette);
    new Painter(context, this.project, palette).paint(scene, marks, options, selected);
  }

  /** Return the shown bodies in the order in which they are drawn: by kind, and in space by depth. */
  private order(): number[] {
    const { now, film, count } = this.scene;
    const kinds = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    for (let body = 0; body < count; body++) if (now.shown[body]) kinds.get(now.kind[body])!.push(body);
    const all = [...kinds.values()].flat();
    return film.flat ? all : all.sort((a, b) => now.z[b] - now.z[a]);
  }

  private body(body: number, palette: Palette): void {
    const { context, scale } = this;
    const { x, y, parts, rotation, kind, asleep } = this.scene.now;
    const own = kind[body];
    const colour = (asleep[body] ? palette.pale : palette.kinds)[own];
    const left = (x[body] - this.x) * scale + this.width / 2;
    const top = (y[body] - this.y) * scale + this.height / 2;
    const turned = matrixOf(rotation[body]);
    const list = parts[body];
    let small = Infinity;
    let visible = false;
    for (const part of list) {
      const box = partBounds(part, turned, x[body], y[body], 0);
      small = Math.min(small, (box.x1 - box.x0) * scale, (box.y1 - box.y0) * scale);
      visible ||= this.isVisible(box);
    }
    if (!visible) return;
    const edge = small > SIGN_FROM && own === "solid" ? 2 : small > 4 ? 1 : 0;
    if (own === "trigger") {
      context.fillStyle = colour;
      context.strokeStyle = colour;
      context.lineWidth = small > SIGN_FROM ? 2 : 1;
      context.setLineDash(small > SIGN_FROM ? [5, 4] : []);
      for (const part of list) {
        context.beginPath();
        this.path(outline(part, turned), part[6] * scale, left, top);
        context.globalAlpha = 0.22;
        context.fill();
        context.globalAlpha = 1;
        if (small > 4) context.stroke();
      }
      context.setLineDash([]);
      return;
    }
    for (const fill of edge ? [palette.edge, colour] : [colour]) {
      context.fillStyle = fill;
      const grown = edge && fill === palette.edge ? edge : 0;
      for (const part of list) {
        if (!turned && !part[6] && !part[8]) {
          const wide = part[3] * scale + grown;
          const high = part[4] * scale + grown;
          context.fillRect(left + part[0] * scale - wide, top + part[1] * scale - high, 2 * wide, 2 * high);
        } else {
          context.beginPath();
          this.path(outline(part, turned), part[6] * scale + grown, left, top);
          context.fill();
        }
      }
    }
    if (small > SIGN_FROM) this.sign(own, body, left, top, small, palette);
  }

  /** Draw the sign of a kind: hatched is static, a cross solid, a frame pushable, a dot a mover, a hand dynamic. */
  private sign(kind: Kind, body: number, left: number, top: number, small: number, palette: Palette): void {
    const { context, scale } = this;
    const { parts, rotation } = this.scene.now;
    const turned = matrixOf(rotation[body]);
    context.strokeStyle = palette.edge;
    context.fillStyle = palette.edge;
    context.lineWidth = small > 40 ? 2 : 1.5;
    const size = small * 0.26;
    if (kind === "static") {
      if (!this.hatch) return;
      context.fillStyle = this.hatch;
      for (const part of parts[body]) {
        context.beginPath();
        this.path(outline(part, turned), part[6] * scale, left, top);
        context.fill();
      }
      return;
    }
    context.globalAlpha = 0.6;
    const [part] = parts[body];
    const corners = outline(part, turned);
    let cx = 0;
    let cy = 0;
    for (let i = 0; i < corners.length; i += 2) {
      cx += (2 * corners[i]) / corners.length;
      cy += (2 * corners[i + 1]) / corners.length;
    }
    cx = left + cx * scale;
    cy = top + cy * scale;
    const angle = turned ? Math.atan2(turned[3], turned[0]) : 0;
    const c = Math.cos(angle) * size;
    const s = Math.sin(angle) * size;
    context.beginPath();
    if (kind === "mover") {
      context.arc(cx, cy, size * 0.62, 0, 2 * Math.PI);
      context.fill();
    } else if (kind === "dynamic") {
      context.moveTo(cx, cy);
      context.lineTo(cx + 1.6 * c, cy + 1.6 * s);
    } else if (kind === "solid") {
      context.moveTo(cx - c + s, cy - s - c);
      context.lineTo(cx + c - s, cy + s + c);
      context.moveTo(cx - c - s, cy - s + c);
      context.lineTo(cx + c + s, cy + s - c);
    } else {
      context.moveTo(cx - c + s, cy - s - c);
      context.lineTo(cx + c + s, cy + s - c);
      context.lineTo(cx + c - s, cy + s + c);
      context.lineTo(cx - c - s, cy - s + c);
      context.closePath();
    }
    if (kind !== "mover") context.stroke();
    context.globalAlpha = 1;
  }

  /** Draw a line around a body as a whole: all its parts larger, and the body above them. */
  private outline(body: number, colour: string, width: number, palette: Palette): void {
    const { context, scale } = this;
    const { now } = this.scene;
    if (!now.shown[body]) return;
    const [left, top] = this.project(now.x[body], now.y[body]);
    const turned = matrixOf(now.rotation[body]);
    const isTrigger = now.kind[body] === "trigger"; // what is in it stays visible
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    for (const part of now.parts[body]) {
      context.beginPath();
      this.path(outline(part, turned), part[6] * scale + (isTrigger ? 0 : width), left, top);
      if (isTrigger) context.stroke();
      else context.fill();
    }
    if (!isTrigger) this.body(body, palette);
  }

  /** Add an outline with rounded corners to the path. */
  private path(corners: number[], radius: number, left: number, top: number): void {
    const { context, scale } = this;
    const count = corners.length / 2;
    const x = (i: number): number => left + corners[2 * (i % count)] * scale;
    const y = (i: number): number => top + corners[2 * (i % count) + 1] * scale;
    if (count === 1) {
      context.arc(x(0), y(0), radius, 0, 2 * Math.PI);
      return;
    }
    for (let i = 0; i < count; i++) {
      if (radius > 0.5) {
        const before = Math.atan2(y(i) - y(i + count - 1), x(i) - x(i + count - 1)) - Math.PI / 2;
        const after = Math.atan2(y(i + 1) - y(i), x(i + 1) - x(i)) - Math.PI / 2;
        context.arc(x(i), y(i), radius, before, after);
      } else if (i) context.lineTo(x(i), y(i));
      else context.moveTo(x(i), y(i));
    }
    context.closePath();
  }

  private cells(palette: Palette): number {
    const { context, scene } = this;
    const { film } = scene;
    const cells = scene.cells((box) => this.isVisible(box));
    context.strokeStyle = palette.cells;
    context.fillStyle = palette.cells;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "top";
    context.globalAlpha = 0.6;
    const labelled = new Set<number>();
    for (const cell of cells) {
      const edge = film.bin * 2 ** cell.level;
      const [x, y] = this.project(cell.x * edge, cell.y * edge);
      const side = edge * this.scale;
      const inset = 1 + 1.5 * cell.level; // cells of several levels stay apart
      context.lineWidth = 1 + 0.5 * Math.min(4, cell.level);
      if (side > 3 * inset) context.strokeRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset);
      if (side < 44 || x < 0 || y < 0 || labelled.has(cell.level)) continue;
      labelled.add(cell.level);
      context.fillText(`level ${cell.level}`, x + inset + 3, y + inset + 2);
    }
    context.globalAlpha = 1;
    return cells.length;
  }

  private isVisible(box: Bounds): boolean {
    const [x0, y0] = this.project(box.x0, box.y0);
    const [x1, y1] = this.project(box.x1, box.y1);
    return x1 >= 0 && y1 >= 0 && x0 <= this.width && y0 <= this.height;
  }

  private prepareHatch(palette: Palette): void {
    if (this.hatchColour === palette.edge) return;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const context = tile.getContext("2d")!;
    context.strokeStyle = palette.edge;
    context.globalAlpha = 0.3;
    context.lineWidth = 1;
    for (const shift of [-8, 0, 8]) {
      context.moveTo(shift - 1, 9);
      context.lineTo(shift + 9, -1);
    }
    context.stroke();
    this.hatch = this.context.createPattern(tile, "repeat");
    this.hatchColour = palette.edge;
  }

  /** Drag to move, the wheel or two fingers to zoom, a click to pick. */
  private listen(changed: () => void, picked: (x: number, y: number) => void): void {
    const { canvas } = this;
    const pointers = new Map<number, Point>();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      moved = pointers.size ? Infinity : 0;
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      const from = pointers.get(event.pointerId);
      if (!from) return;
      const to: Point = [event.offsetX, event.offsetY];
      const share = 1 / pointers.size;
      const before = spread([...pointers.values()]);
      pointers.set(event.pointerId, to);
      const after = spread([...pointers.values()]);
      moved += Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
      if (moved <= CLICK_MOVES) return;
      this.x -= ((to[0] - from[0]) * share) / this.scale;
      this.y -= ((to[1] - from[1]) * share) / this.scale;
      if (before && after) this.zoom(after.distance / before.distance, after.x, after.y);
      changed();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (pointers.delete(event.pointerId) && moved <= CLICK_MOVES) picked(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * 0.0015), event.offsetX, event.offsetY);
      changed();
    }, { passive: false });
  }
}

/** Return the middle of two fingers and the distance between them. */
function spread(points: Point[]): { x: number; y: number; distance: number } | null {
  if (points.length !== 2) return null;
  const [[ax, ay], [bx, by]] = points;
  return { x: (ax + bx) / 2, y: (ay + by) / 2, distance: Math.hypot(bx - ax, by - ay) || 1 };
}
