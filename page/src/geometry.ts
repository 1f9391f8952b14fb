/** Parts in space and seen flat: bounds, outlines, and the cells of the index that a box is in. */

import type { Part, Rotation } from "./film";

export interface Bounds {
  x0: number;
  y0: number;
  z0: number;
  x1: number;
  y1: number;
  z1: number;
}

/** Nine numbers, row by row. */
export type Matrix = ArrayLike<number>;

export function emptyBounds(): Bounds {
  return { x0: Infinity, y0: Infinity, z0: Infinity, x1: -Infinity, y1: -Infinity, z1: -Infinity };
}

export function include(all: Bounds, one: Bounds): void {
  all.x0 = Math.min(all.x0, one.x0);
  all.y0 = Math.min(all.y0, one.y0);
  all.z0 = Math.min(all.z0, one.z0);
  all.x1 = Math.max(all.x1, one.x1);
  all.y1 = Math.max(all.y1, one.y1);
  all.z1 = Math.max(all.z1, one.z1);
}

export function matrixOf(rotation: Rotation): Matrix | null {
  if (rotation === null) return null;
  if (typeof rotation === "number") {
    const c = Math.cos(rotation);
    const s = Math.sin(rotation);
    return [c, -s, 0, s, c, 0, 0, 0, 1];
  }
  const length = Math.hypot(...rotation) || 1;
  const [x, y, z, w] = rotation.map((each) => each / length);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
  ];
}

export function times(a: Matrix, b: Matrix): Matrix {
  const product = new Array<number>(9);
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      product[row + column] = a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
    }
  }
  return product;
}

/** A part as its body is turned: centre relative to the body, and its rotation if it has any. */
export interface Placed {
  x: number;
  y: number;
  z: number;
  matrix: Matrix | null;
}

export function placed(part: Part, body: Matrix | null): Placed {
  const own = part[8] ?? null;
  if (!part[7] || !body) return { x: part[0], y: part[1], z: part[2], matrix: own };
  const [cx, cy, cz] = part;
  return {
    x: body[0] * cx + body[1] * cy + body[2] * cz,
    y: body[3] * cx + body[4] * cy + body[5] * cz,
    z: body[6] * cx + body[7] * cy + body[8] * cz,
    matrix: own ? times(body, own) : body,
  };
}

/** Return the box around a part. */
export function partBounds(part: Part, body: Matrix | null, x: number, y: number, z: number): Bounds {
  const at = placed(part, body);
  const m = at.matrix;
  const [, , , hx, hy, hz, radius] = part;
  const wx = radius + (m ? Math.abs(m[0]) * hx + Math.abs(m[1]) * hy + Math.abs(m[2]) * hz : hx);
  const wy = radius + (m ? Math.abs(m[3]) * hx + Math.abs(m[4]) * hy + Math.abs(m[5]) * hz : hy);
  const wz = radius + (m ? Math.abs(m[6]) * hx + Math.abs(m[7]) * hy + Math.abs(m[8]) * hz : hz);
  x += at.x;
  y += at.y;
  z += at.z;
  return { x0: x - wx, y0: y - wy, z0: z - wz, x1: x + wx, y1: y + wy, z1: z + wz };
}

export function partsBounds(parts: Part[], rotation: Rotation, x: number, y: number, z: number): Bounds {
  const body = matrixOf(rotation);
  const all = emptyBounds();
  for (const part of parts) include(all, partBounds(part, body, x, y, z));
  return all;
}

/** Return the corners of the core of a part seen flat, counterclockwise in x and y, relative to the body: x, y, x, y... */
export function outline(part: Part, body: Matrix | null): number[] {
  const at = placed(part, body);
  const [, , , hx, hy, hz] = part;
  const m = at.matrix;
  if (!m) {
    if (!hx && !hy) return [at.x, at.y];
    if (!hx || !hy) return [at.x - hx, at.y - hy, at.x + hx, at.y + hy];
    return [at.x - hx, at.y - hy, at.x + hx, at.y - hy, at.x + hx, at.y + hy, at.x - hx, at.y + hy];
  }
  const points: [number, number][] = [];
  for (const sx of hx ? [-hx, hx] : [0]) {
    for (const sy of hy ? [-hy, hy] : [0]) {
      for (const sz of hz && (m[2] || m[5]) ? [-hz, hz] : [0]) {
        points.push([at.x + m[0] * sx + m[1] * sy + m[2] * sz, at.y + m[3] * sx + m[4] * sy + m[5] * sz]);
      }
    }
  }
  return hull(points);
}

function hull(points: [number, number][]): number[] {
  if (points.length < 3) return points.flat();
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: [number, number][]): [number, number][] => {
    const made: [number, number][] = [];
    for (const point of list) {
      while (made.length > 1 && turn(made[made.length - 2], made[made.length - 1], point) <= 0) made.pop();
      made.push(point);
    }
    made.pop();
    return made;
  };
  return [...chain(points), ...chain([...points].reverse())].flat();
}

function turn(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Return whether a point seen flat is in a part, whose outline is given, with its radius. */
export function isInside(corners: number[], radius: number, x: number, y: number): boolean {
  const count = corners.length / 2;
  let inside = count > 2;
  let nearest = Infinity;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const ax = corners[2 * i];
    const ay = corners[2 * i + 1];
    const bx = corners[2 * j] - ax;
    const by = corners[2 * j + 1] - ay;
    if (bx * (y - ay) - by * (x - ax) < 0) inside = false;
    const along = Math.max(0, Math.min(1, (bx * (x - ax) + by * (y - ay)) / (bx * bx + by * by || 1)));
    nearest = Math.min(nearest, Math.hypot(x - ax - along * bx, y - ay - along * by));
  }
  return inside || nearest <= radius;
}

export interface Cell {
  level: number;
  x: number;
  y: number;
  z: number;
}

/** Add the cells that a box is in (B1, B2): of the smallest level whose edge is not below its longest side. */
export function addCells(cells: Map<string, Cell>, box: Bounds, bin: number, flat: boolean): void {
  const side = Math.max(box.x1 - box.x0, box.y1 - box.y0, flat ? 0 : box.z1 - box.z0);
  let level = 0;
  while (bin * 2 ** level < side) level++;
  const edge = bin * 2 ** level;
  const z0 = flat ? 0 : Math.floor(box.z0 / edge);
  const z1 = flat ? 0 : Math.floor(box.z1 / edge);
  for (let z = z0; z <= z1; z++) {
    for (let y = Math.floor(box.y0 / edge); y <= Math.floor(box.y1 / edge); y++) {
      for (let x = Math.floor(box.x0 / edge); x <= Math.floor(box.x1 / edge); x++) {
        cells.set(`${level} ${x} ${y} ${z}`, { level, x, y, z });
      }
    }
  }
}
