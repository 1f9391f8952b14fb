/** What the step did, and what is known of the selected body, as text. */

import { byId, make } from "./dom";
import { resultsOf } from "./explain";
import { type EventEntry, type Film, nameOf, type Result, shortNumber, type Step, textOf, UNIT } from "./film";
import type { Scene } from "./scene";

const MOST_LINES = 60;

export interface PanelActions {
  select(body: number): void;
  next(body: number, way: 1 | -1): void;
}

export class Panel {
  private readonly box = byId("now");

  constructor(private readonly film: Film, private readonly scene: Scene, private readonly actions: PanelActions) {
    const panel = byId("panel");
    const grip = byId("grip");
    grip.addEventListener("click", () => this.open(panel.classList.contains("closed")));
  }

  /** Open or close the sheet of a narrow window; in a wide one it is always open. */
  open(wanted: boolean): void {
    byId("panel").classList.toggle("closed", !wanted);
    byId("grip").setAttribute("aria-expanded", String(wanted));
  }

  show(selected: number): void {
    const { scene, film } = this;
    const step = scene.current;
    const text = summary(scene, step);
    byId("grip-text").textContent = selected < 0 ? text : `${nameOf(film.bodies[selected])} — ${text}`;
    const parts = selected < 0 ? [this.stepCard(step)] : [this.bodyCard(selected, step), this.stepCard(step, true)];
    if (film.remarks.length && selected < 0) parts.push(this.remarks());
    const { scrollTop } = this.box;
    this.box.replaceChildren(...parts);
    this.box.scrollTop = scrollTop;
  }

  private remarks(): HTMLElement {
    const lines = make("pre", "", [this.film.remarks.join("\n")]);
    const box = make("details", "", [make("summary", "", ["About this recording"]), lines]) as HTMLDetailsElement;
    box.open = (this.film.open_at ?? 0) > 0; // of a failure: why it failed
    return box;
  }

  private stepCard(step: Step, brief = false): HTMLElement {
    const title = [make("h2", "", [`Step ${this.scene.step} of ${this.film.steps.length - 1}`]), make("p", "big", [step.label])];
    const notes = (step.notes ?? []).map((note) => make("div", "line note", [note]));
    if (brief) return make("section", "card", [...title, ...notes]);
    const lines = [...(step.results ?? []).map((each) => this.result(each)), ...(step.events ?? []).map((each) => this.event(each))];
    const rest = lines.splice(MOST_LINES).length;
    const list = make("ul", "", lines.map((line) => make("li", "", [line])));
    if (rest) list.append(make("li", "quiet", [`and ${rest} more`]));
    const empty = !lines.length && !notes.length && make("p", "quiet", ["No push and no event in this step."]);
    return make("section", "card", [...title, ...notes, list, empty]);
  }

  private bodyCard(body: number, step: Step): HTMLElement {
    const { film, scene } = this;
    const { x, y, z, asleep, shown, kind, group, components } = scene.now;
    const entry = film.bodies[body];
    const clear = make("button", "tool", ["Deselect"], () => this.actions.select(-1));
    const chips = [kind[body], `id ${entry.id}`, asleep[body] ? "asleep" : "", shown[body] ? "" : "not there at this step"];
    const facts = [["position", vector([x[body], y[body], z[body]].map((each) => each / UNIT), film.flat)]];
    const before = scene.before(body);
    const way = [x[body] - before[0], y[body] - before[1], z[body] - before[2]].map((each) => each / UNIT);
    if (way.some((each) => each !== 0)) facts.push(["moved by", `${vector(way, film.flat)} in this step`]);
    const fused = film.bodies.flatMap((each, other) =>
      group[body] >= 0 && group[other] === group[body] && other !== body ? [nameOf(each)] : [],
    );
    if (fused.length) facts.push(["fused to", fused.slice(0, 12).join(", ") + (fused.length > 12 ? ` and ${fused.length - 12} more` : "")]);
    const results = resultsOf(step, body).map((each) => this.result(each));
    const events = (step.events ?? []).filter((each) => each.bodies.includes(body)).map((each) => this.event(each));
    const did = [...results, ...events];
    return make("section", "card", [
      make("div", "head", [make("h2", "", ["Selected"]), clear]),
      make("p", "big", [nameOf(entry)]),
      make("div", "chips", chips.filter(Boolean).map((chip) => make("span", "", [chip]))),
      list(facts),
      make("h2", "", ["In this step"]),
      did.length ? make("ul", "", did.map((line) => make("li", "", [line]))) : make("p", "quiet", [way.some((each) => each !== 0) ? "It only moved." : "It did nothing."]),
      make("div", "chips", [
        make("button", "", ["‹ Before this"], () => this.actions.next(body, -1)),
        make("button", "", ["Next about it ›"], () => this.actions.next(body, 1)),
      ]),
      components[body].length > 0 && make("h2", "", ["Components"]),
      make("ul", "", components[body].map((text) => make("li", "", [make("code", "", [text])]))),
    ]);
  }

  private result(result: Result): HTMLElement {
    const style = result.stops?.length ? "line blocked" : "line";
    return make("button", style, [result.text], () => this.actions.select(result.body));
  }

  private event(event: EventEntry): HTMLElement {
    const text = [make("b", "", [event.name]), ` ${textOf(event, this.film.bodies)}`];
    return make("button", "line", text, () => this.actions.select(event.bodies[0] ?? -1));
  }
}

/** Return one line on a step, for the strip of a narrow window and for readers of the screen. */
export function summary(scene: Scene, step: Step): string {
  const counts: [number, string][] = [
    [step.notes?.length ?? 0, "note"],
    [(step.results ?? []).filter((result) => result.stops?.length).length, "blocked"],
    [step.events?.length ?? 0, "event"],
  ];
  const said = counts.filter(([count]) => count).map(([count, word]) => `${count} ${word}${count > 1 && word !== "blocked" ? "s" : ""}`);
  return [`${scene.step}: ${step.label}`, ...said].join(", ");
}

function vector(values: number[], flat: boolean): string {
  const few = flat && !values[2] ? values.slice(0, 2) : values;
  return `(${few.map(shortNumber).join(", ")})`;
}

function list(facts: string[][]): HTMLElement {
  return make("dl", "", facts.flatMap(([term, text]) => [make("dt", "", [term]), make("dd", "", [text])]));
}
