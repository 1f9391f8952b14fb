/** The list of what happened: events, refused motions, plans of such, and notes, in order; searched by words. */

import { type Film, nameOf, textOf } from "./film";

export type EntryKind = "event" | "blocked" | "plan" | "note" | "body";

export interface Entry {
  step: number;
  kind: EntryKind;
  text: string;
  bodies: number[];
  /** What is searched, in small letters. */
  words: string;
}

const MOST_BODIES = 50;

export function entriesOf(film: Film): Entry[] {
  const entries: Entry[] = [];
  let motion = -1; // the last motion since a frame: a frame reports its pushes, but it shows them
  film.steps.forEach((step, index) => {
    if (step.act === "move" && step.results?.length) motion = index;
    for (const note of step.notes ?? []) entries.push(entry(film, index, "note", note, "note", []));
    for (const result of step.results ?? []) {
      if (!result.stops?.length) continue;
      const bodies = [...new Set([result.body, ...result.stops.flatMap((stop) => stop.blockers)])];
      const [first] = result.text.split("\n");
      const kind = step.act === "plan" ? "plan" : "blocked";
      const text = kind === "plan" ? `plan: ${first}` : first;
      entries.push(entry(film, index, kind, text, `${kind} ${result.stops.map((stop) => stop.reason).join(" ")}`, bodies));
    }
    for (const event of step.events ?? []) {
      const text = `${event.name}: ${textOf(event, film.bodies)}`;
      const shown = event.name === "Pushed" && !step.results?.length && motion >= 0 ? motion : index;
      entries.push(entry(film, shown, "event", text, event.name, event.bodies));
    }
    if (step.act === "frame") motion = -1;
  });
  return entries;
}

function entry(film: Film, step: number, kind: EntryKind, text: string, more: string, bodies: number[]): Entry {
  const names = bodies.map((body) => nameOf(film.bodies[body]));
  return { step, kind, text, bodies, words: [text, more, ...names].join(" ").toLowerCase() };
}

/** Return the entries that have every word; a number is the entity id of one of the bodies. Bodies come first. */
export function search(film: Film, entries: Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return entries;
  const bodies: Entry[] = [];
  film.bodies.forEach((body, index) => {
    const name = `${nameOf(body)} ${body.kind}`.toLowerCase();
    if (bodies.length < MOST_BODIES && words.every((word) => (isId(word) ? body.id === idOf(word) : name.includes(word)))) {
      bodies.push({ step: -1, kind: "body", text: `${nameOf(body)} (id ${body.id}, ${body.kind})`, bodies: [index], words: name });
    }
  });
  const found = entries.filter((each) =>
    words.every((word) =>
      isId(word) ? each.bodies.some((body) => film.bodies[body].id === idOf(word)) : each.words.includes(word),
    ),
  );
  return [...bodies, ...found];
}

function isId(word: string): boolean {
  return /^#?\d+$/.test(word);
}

function idOf(word: string): number {
  return Number(word.replace("#", ""));
}
