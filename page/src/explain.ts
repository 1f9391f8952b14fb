/** Why: the arrows, links, blockers and labels that draw what the results of a step say. */

import { type Result, shortNumber, type Step, UNIT, type Vector } from "./film";
import { matrixOf, partBounds } from "./geometry";
import type { Scene } from "./scene";

export type ArrowStyle = "requested" | "made" | "pushed" | "link";

export interface Arrow {
  from: Vector;
  to: Vector;
  style: ArrowStyle;
  text: string;
}

export interface Label {
  at: Vector;
  text: string;
  danger: boolean;
}

export interface Marks {
  arrows: Arrow[];
  labels: Label[];
  blockers: number[];
  pushed: number[];
}

const SHOWN_WITHOUT_SELECTION = 40; // results of one step whose arrows are drawn

/** Return the results in which a body moved, was pushed or blocked. */
export function resultsOf(step: Step, body: number): Result[] {
  return (step.results ?? []).filter(
    (result) =>
      result.body === body ||
      result.pushed?.some(([pushed]) => pushed === body) ||
      result.stops?.some((stop) => stop.blockers.includes(body)),
  );
}

/** Return what is drawn of the results: those of the selected body, or the last push of the step with its chain. */
export function marksOf(scene: Scene, selected: number): Marks {
  const marks: Marks = { arrows: [], labels: [], blockers: [], pushed: [] };
  const all = scene.current.results ?? [];
  const chosen = selected < 0 ? all : resultsOf(scene.current, selected);
  const last = all.findLast((result) => result.links?.length || result.stops?.length) ?? all.at(-1);
  const reached = new Map<number, Vector>(); // where bodies are after the results so far
  const where = (body: number): Vector => reached.get(body) ?? centreBefore(scene, body);
  all.forEach((result, index) => {
    const isDrawn = selected < 0 ? index < SHOWN_WITHOUT_SELECTION || result === last : chosen.includes(result);
    const from = where(result.body);
    const to = plus(from, result.moved);
    if (isDrawn) addDisplacements(marks, result, from, to, scene.current.act === "plan" ? "would move" : "moved");
    reached.set(result.body, to);
    for (const [body, x, y, z] of result.pushed ?? []) {
      const start = where(body);
      const end = plus(start, [x, y, z]);
      if (isDrawn && (x || y || z)) marks.arrows.push({ from: start, to: end, style: "pushed", text: "" });
      reached.set(body, end);
    }
    if (selected < 0 ? result === last : isDrawn) addChain(marks, scene, result);
  });
  if (selected >= 0 && !chosen.length && scene.now.shown[selected]) addWay(marks, scene, selected);
  return marks;
}

function addDisplacements(marks: Marks, result: Result, from: Vector, to: Vector, verb: string): void {
  const wanted = plus(from, result.requested);
  if (wanted.some((value, axis) => value !== to[axis])) {
    marks.arrows.push({ from, to: wanted, style: "requested", text: `requested ${lengthOf(result.requested)}` });
  }
  if (result.moved.some((value) => value !== 0)) {
    marks.arrows.push({ from, to, style: "made", text: `${verb} ${lengthOf(result.moved)}` });
  }
}

function addChain(marks: Marks, scene: Scene, result: Result): void {
  const force = result.force ?? 0;
  if (force) marks.labels.push({ at: centre(scene, result.body), text: `force ${shortNumber(force)}`, danger: false });
  for (const [body, , , , inertia] of result.pushed ?? []) {
    marks.pushed.push(body);
    const text = /^[a-z]/i.test(inertia) ? inertia : `inertia ${inertia}`;
    if (inertia) marks.labels.push({ at: centre(scene, body), text, danger: false });
  }
  for (const [pusher, pushed, , gap] of result.links ?? []) {
    const text = gap ? `gap ${shortNumber(gap)}` : "";
    marks.arrows.push({ from: centre(scene, pusher), to: centre(scene, pushed), style: "link", text });
  }
  for (const stop of result.stops ?? []) {
    for (const body of stop.blockers) {
      if (marks.blockers.includes(body)) continue;
      marks.blockers.push(body);
      marks.labels.push({ at: facing(scene, body, [result.body, ...marks.pushed], stop.direction), text: stop.reason, danger: true });
    }
    if (!stop.blockers.length) marks.labels.push({ at: centre(scene, result.body), text: stop.reason, danger: true });
  }
}

/** Draw how a body came here, if no result says so. */
function addWay(marks: Marks, scene: Scene, body: number): void {
  const [from, to] = [centreBefore(scene, body), centre(scene, body)];
  const way = from.map((value, axis) => (to[axis] - value) / UNIT) as Vector;
  if (way.some((value) => value !== 0)) marks.arrows.push({ from, to, style: "made", text: `moved ${lengthOf(way)}` });
}

/** Return the centre of the box around a body. */
export function centre(scene: Scene, body: number): Vector {
  const box = scene.boundsOf(body);
  return [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, (box.z0 + box.z1) / 2];
}

/** Return the place in a body that is nearest to the middle of one of some others, ahead of it: a wall may be long. */
function facing(scene: Scene, body: number, others: number[], ahead: Vector): Vector {
  const { x, y, z, parts, rotation } = scene.now;
  const turned = matrixOf(rotation[body]);
  let nearest = Infinity;
  let found: Vector = centre(scene, body);
  for (const other of others) {
    const [cx, cy, cz] = centre(scene, other);
    for (const part of parts[body]) {
      const box = partBounds(part, turned, x[body], y[body], z[body]);
      const place: Vector = [within(cx, box.x0, box.x1), within(cy, box.y0, box.y1), within(cz, box.z0, box.z1)];
      const way = [place[0] - cx, place[1] - cy, place[2] - cz];
      const isAhead = way[0] * ahead[0] + way[1] * ahead[1] + way[2] * ahead[2] > 0;
      const distance = isAhead ? Math.hypot(...way) : Number.MAX_VALUE;
      if (distance < nearest) [nearest, found] = [distance, place];
    }
  }
  return found;
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

function centreBefore(scene: Scene, body: number): Vector {
  const { x, y, z } = scene.now;
  const [cx, cy, cz] = centre(scene, body);
  const before = scene.before(body);
  return [cx - x[body] + before[0], cy - y[body] + before[1], cz - z[body] + before[2]];
}

function plus(from: Vector, way: Vector): Vector {
  return [from[0] + way[0] * UNIT, from[1] + way[1] * UNIT, from[2] + way[2] * UNIT];
}

function lengthOf(way: Vector): string {
  return shortNumber(Math.hypot(...way));
}
