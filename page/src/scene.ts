/** The bodies of a film at one step. Seeking starts at the nearest key frame before and applies the changes since. */

import type { Columns, EventEntry, Film, Kind, Part, Rotation, Step } from "./film";
import { addCells, type Bounds, type Cell, emptyBounds, include, matrixOf, partBounds, partsBounds } from "./geometry";

const SPACING = 64; // steps between key frames
const BYTES_OF_A_BODY = 100; // in a key frame, about
const BYTES_OF_KEY_FRAMES = 96e6; // more bodies and steps get fewer key frames

export interface Contact {
  bodies: number[];
  normal: [number, number, number];
}

/** Everything about bodies that steps change. */
interface Values {
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
  rotation: Rotation[];
  shown: Uint8Array;
  asleep: Uint8Array;
  kind: Kind[];
  group: Int32Array;
  parts: Part[][];
  components: string[][];
  contacts: Map<string, Contact>;
}

export class Scene {
  step = 0;
  /** The smallest box that holds all that was shown, as far as it stays near the start. */
  readonly extent: Bounds;
  now: Values;
  private readonly keys: Values[] = [];
  private readonly spacing: number;

  constructor(readonly film: Film) {
    const bodies = film.bodies;
    this.now = {
      x: Float64Array.from(bodies, (body) => body.at[0]),
      y: Float64Array.from(bodies, (body) => body.at[1]),
      z: Float64Array.from(bodies, (body) => body.at[2]),
      rotation: bodies.map((body) => body.rotation),
      shown: Uint8Array.from(bodies, (body) => body.shown),
      asleep: Uint8Array.from(bodies, (body) => body.asleep),
      kind: bodies.map((body) => body.kind),
      group: Int32Array.from(bodies, (body) => body.group),
      parts: bodies.map((body) => body.parts),
      components: bodies.map((body) => body.components),
      contacts: new Map(),
    };
    const bytes = film.steps.length * bodies.length * BYTES_OF_A_BODY;
    this.spacing = Math.max(SPACING, Math.ceil(bytes / BYTES_OF_KEY_FRAMES));
    const first = this.bounds();
    const all = { ...first };
    apply(this.now, film.steps[0]);
    this.keys.push(copyOf(this.now));
    for (let step = 1; step < film.steps.length; step++) {
      apply(this.now, film.steps[step]);
      if (step % this.spacing === 0) this.keys.push(copyOf(this.now));
      if (step % 16 === 0 || step === film.steps.length - 1) include(all, this.bounds());
    }
    this.extent = nearStart(first, all);
    this.now = copyOf(this.keys[0]);
  }

  get count(): number {
    return this.film.bodies.length;
  }

  get current(): Step {
    return this.film.steps[this.step];
  }

  /** Show another step. O(steps since the key frame), or since the current step if that is nearer. */
  moveTo(step: number): void {
    const target = Math.max(0, Math.min(this.film.steps.length - 1, step));
    const key = Math.floor(target / this.spacing);
    let at = this.step;
    if (target < at || key * this.spacing > at) {
      this.now = copyOf(this.keys[key]);
      at = key * this.spacing;
    }
    while (at < target) apply(this.now, this.film.steps[++at]);
    this.step = target;
  }

  /** Return the box around a body. */
  boundsOf(body: number): Bounds {
    const { x, y, z, parts, rotation } = this.now;
    return partsBounds(parts[body], rotation[body], x[body], y[body], z[body]);
  }

  /** Return the box around all bodies that are shown. */
  bounds(): Bounds {
    const all = emptyBounds();
    for (let body = 0; body < this.count; body++) if (this.now.shown[body]) include(all, this.boundsOf(body));
    return all;
  }

  /** Return the cells of the index that the shown bodies are in: those of the parts whose boxes are wanted. */
  cells(isWanted: (box: Bounds) => boolean = () => true): Cell[] {
    const cells = new Map<string, Cell>();
    const { x, y, z, parts, rotation, shown } = this.now;
    for (let body = 0; body < this.count; body++) {
      if (!shown[body]) continue;
      const turned = matrixOf(rotation[body]);
      for (const part of parts[body]) {
        const box = partBounds(part, turned, x[body], y[body], z[body]);
        if (isWanted(box)) addCells(cells, box, this.film.bin, this.film.flat);
      }
    }
    return [...cells.values()];
  }

  /** Return where a body was before the current step. */
  before(body: number): [number, number, number] {
    const { x, y, z } = this.now;
    const moved = this.current.moved;
    const row = moved ? moved.i.indexOf(body) : -1;
    if (!moved || row < 0) return [x[body], y[body], z[body]];
    return [x[body] - (moved.x?.[row] ?? 0), y[body] - (moved.y?.[row] ?? 0), z[body] - (moved.z?.[row] ?? 0)];
  }
}

/** Leave out what went farther from the start than the start is wide, such as a body that falls for ever. */
function nearStart(first: Bounds, all: Bounds): Bounds {
  if (!(first.x0 <= first.x1)) return all;
  const way = Math.max(first.x1 - first.x0, first.y1 - first.y0, first.z1 - first.z0);
  return {
    x0: Math.max(all.x0, first.x0 - way), x1: Math.min(all.x1, first.x1 + way),
    y0: Math.max(all.y0, first.y0 - way), y1: Math.min(all.y1, first.y1 + way),
    z0: Math.max(all.z0, first.z0 - way), z1: Math.min(all.z1, first.z1 + way),
  };
}

function copyOf(values: Values): Values {
  return {
    x: values.x.slice(), y: values.y.slice(), z: values.z.slice(),
    rotation: values.rotation.slice(), shown: values.shown.slice(), asleep: values.asleep.slice(),
    kind: values.kind.slice(), group: values.group.slice(), parts: values.parts.slice(),
    components: values.components.slice(), contacts: new Map(values.contacts),
  };
}

function apply(now: Values, step: Step): void {
  if (step.moved) addColumns(step.moved, now.x, now.y, now.z);
  for (const [body, rotation] of step.turned ?? []) now.rotation[body] = rotation;
  for (const body of step.shown ?? []) now.shown[body] = 1;
  for (const body of step.hidden ?? []) now.shown[body] = 0;
  for (const body of step.slept ?? []) now.asleep[body] = 1;
  for (const body of step.woke ?? []) now.asleep[body] = 0;
  for (const [body, kind] of step.kinds ?? []) now.kind[body] = kind;
  for (const [body, group] of step.groups ?? []) now.group[body] = group;
  for (const [body, parts] of step.shapes ?? []) now.parts[body] = parts;
  for (const [body, components] of step.components ?? []) now.components[body] = components;
  for (const event of step.events ?? []) noteContact(now.contacts, event);
}

function addColumns({ i, x, y, z }: Columns, toX: Float64Array, toY: Float64Array, toZ: Float64Array): void {
  for (let row = 0; row < i.length; row++) {
    if (x) toX[i[row]] += x[row];
    if (y) toY[i[row]] += y[row];
    if (z) toZ[i[row]] += z[row];
  }
}

/** Keep the contacts that have begun and not ended. */
function noteContact(contacts: Map<string, Contact>, event: EventEntry): void {
  if (event.bodies.length !== 2) return;
  const key = [...event.bodies].sort((a, b) => a - b).join(" ");
  if (event.name.endsWith("Ended")) contacts.delete(key);
  else if (event.normal) contacts.set(key, { bodies: event.bodies, normal: event.normal });
}
