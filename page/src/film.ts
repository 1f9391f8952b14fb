/** A film as docs and the Python side write it: what is there, and what each step changes. Lengths in lattice units. */

export type Kind = "static" | "solid" | "pushable" | "mover" | "trigger" | "dynamic";
export type Rotation = null | number | [number, number, number, number];
/** Centre, half extents of the core, radius around it, whether it turns with the body, own rotation. */
export type Part = [number, number, number, number, number, number, number, number, number[]?];
export type Vector = [number, number, number];

export interface BodyEntry {
  id: number;
  name: string;
  kind: Kind;
  at: Vector;
  rotation: Rotation;
  parts: Part[];
  group: number;
  asleep: number;
  shown: number;
  components: string[];
}

export interface Columns {
  i: number[];
  x?: number[];
  y?: number[];
  z?: number[];
}

export interface EventEntry {
  name: string;
  text: string;
  bodies: number[];
  normal?: Vector;
}

export interface Stop {
  axis: string;
  reason: string;
  allowed: number;
  blockers: number[];
  direction: Vector;
}

export interface Result {
  body: number;
  text: string;
  requested: Vector;
  moved: Vector;
  /** null: without limit. */
  force?: number | null;
  pushed?: [number, number, number, number, string][];
  links?: [number, number, string, number][];
  stops?: Stop[];
}

export interface Step {
  label: string;
  act: string;
  frame: number;
  moved?: Columns;
  turned?: [number, Rotation][];
  shown?: number[];
  hidden?: number[];
  slept?: number[];
  woke?: number[];
  kinds?: [number, Kind][];
  groups?: [number, number][];
  shapes?: [number, Part[]][];
  components?: [number, string[]][];
  events?: EventEntry[];
  results?: Result[];
  notes?: string[];
}

export interface Film {
  version: number;
  title: string;
  remarks: string[];
  flat: boolean;
  bin: number;
  bodies: BodyEntry[];
  steps: Step[];
  open_at?: number;
}

export const UNIT = 65536;
export const VERSION = 1;
export const KINDS: Kind[] = ["static", "solid", "pushable", "mover", "dynamic", "trigger"];

/** Return the film in a document: base64 of gzip of JSON. */
export async function readFilm(text: string): Promise<Film> {
  const data = atob(text.trim());
  const bytes = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) bytes[i] = data.charCodeAt(i);
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the recording; open the page in a newer one.");
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const film = (await new Response(stream).json()) as Film;
  if (film.version !== VERSION) {
    throw new Error(`The recording has version ${film.version}; this page plays version ${VERSION}. Write it again.`);
  }
  return film;
}

/** Return what a body is called: its name, or its kind with its entity id. */
export function nameOf(body: BodyEntry): string {
  return body.name || `${body.kind} ${body.id}`;
}

/** Return what an event says, or whom it is about. */
export function textOf(event: EventEntry, bodies: BodyEntry[]): string {
  return event.text || event.bodies.map((body) => nameOf(bodies[body])).join(", ");
}

/** Return a number without a tail of zeros. */
export function shortNumber(value: number): string {
  return String(Number(value.toFixed(4)) + 0).replace("-", "−");
}
