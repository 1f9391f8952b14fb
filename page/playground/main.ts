/** The playground: a level as text, played with keys and touch; each turn is drawn and explained as in a replay. */

import { byId, make } from "../src/dom";
import { type Marks, marksOf } from "../src/explain";
import { type Film, textOf } from "../src/film";
import { FlatView } from "../src/flat";
import { drawLegend } from "../src/legend";
import { Scene } from "../src/scene";
import { Theme } from "../src/theme";
import { hashOf, type Source, sourceIn } from "./link";
import { type Found, Python, type Shown } from "./python";

const FIRST = "keep_it_open";
const TYPING = 500; // milliseconds without a key after which the level starts anew
const NEXT_STEP = 120; // milliseconds between the steps of a turn
const NEXT_TURN = 250; // milliseconds between the turns of a solution
const SECONDS = 60; // of a search
const ARROWS: Record<string, [string, string, string]> = {
  ArrowLeft: ["L", "←", "Left"], ArrowRight: ["R", "→", "Right"], ArrowUp: ["U", "↑", "Up"], ArrowDown: ["D", "↓", "Down"],
};
const NOTHING: Film = {
  version: 1, title: "", remarks: [], flat: true, bin: 65536, bodies: [], steps: [{ label: "", act: "start", frame: 0 }],
};

class Playground {
  readonly python = new Python((problem) => this.complain(problem));
  shown: Shown | null = null;
  scene = new Scene(NOTHING);
  marks: Marks = { arrows: [], labels: [], blockers: [], pushed: [] };
  /** Pictures so far, and milliseconds: to the first one of a level; from the last key to the picture of its turn. */
  pictures = 0;
  firstPicture = 0;
  reaction = 0;
  private readonly stage = byId("stage");
  private readonly theme: Theme = new Theme(() => this.themeChanged());
  private readonly view: FlatView;
  private puzzles: [string, string, string][] = [];
  private isFitted = true;
  private isAllowed = true; // to run the script
  private isSolving = false;
  private pressed = 0;
  private queue: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private typing = 0;
  private stepping = 0;
  private solution: string[] = [];

  constructor() {
    const changed = (): void => {
      this.isFitted = false;
      this.draw();
    };
    this.view = new FlatView(byId<HTMLCanvasElement>("flat"), this.scene, changed, () => this.stage.querySelector("canvas")!.focus());
    new ResizeObserver(() => this.resized()).observe(this.stage);
    this.buttons();
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => void this.openHash());
    void this.open();
  }

  get source(): Source {
    return { level: byId<HTMLTextAreaElement>("level").value, script: byId<HTMLTextAreaElement>("script").value };
  }

  /** Play a letter; turns that were asked for while one is played wait. */
  turn(letter: string): void {
    this.do("turn", letter);
  }

  private async open(): Promise<void> {
    const puzzles = this.python.call<[string, string, string][]>("puzzles").then((found) => this.listPuzzles(found));
    if (await this.openHash()) return;
    await puzzles;
    await this.choose(FIRST);
  }

  private listPuzzles(puzzles: [string, string, string][]): void {
    this.puzzles = puzzles;
    const select = byId<HTMLSelectElement>("puzzles");
    for (const [name] of puzzles) select.add(new Option(name.replaceAll("_", " "), name));
    select.disabled = false;
  }

  private async choose(name: string): Promise<void> {
    const found = this.puzzles.find(([each]) => each === name);
    if (!found) return;
    this.isAllowed = true;
    this.edit({ level: found[1], script: found[2] });
    byId<HTMLSelectElement>("puzzles").value = name;
    history.replaceState(null, "", location.pathname + location.search);
    await this.load();
  }

  private async openHash(): Promise<boolean> {
    const source = await sourceIn(location.hash);
    if (!source) return false;
    this.isAllowed = !source.script.trim();
    this.edit(source);
    await this.load();
    return true;
  }

  private edit(source: Source): void {
    byId<HTMLTextAreaElement>("level").value = source.level;
    byId<HTMLTextAreaElement>("script").value = source.script;
  }

  private async edited(): Promise<void> {
    byId<HTMLSelectElement>("puzzles").value = "";
    history.replaceState(null, "", await hashOf(this.source));
    await this.load();
  }

  private load(moves = ""): Promise<unknown> {
    const { level, script } = this.source;
    byId("ask").hidden = this.isAllowed;
    this.stopSolution();
    return this.do("load", level, this.isAllowed ? script : "", moves).then(() => this.fit());
  }

  /** Call Python after what is asked already, and show the result. */
  private do(name: string, ...given: unknown[]): Promise<unknown> {
    this.waiting++;
    this.queue = this.queue
      .then(() => this.python.call<Shown>(name, ...given))
      .then((shown) => this.show(shown), (problem: Error) => this.complain(problem.message))
      .finally(() => this.waiting--);
    return this.queue;
  }

  private complain(problem: string): void {
    this.stopSolution();
    if (problem === "stopped") return;
    byId("problem").textContent = problem;
    byId("problem").hidden = false;
    byId("message").hidden = this.shown !== null;
    byId("message").textContent = "The level cannot be played yet.";
  }

  private show(shown: Shown): void {
    const letters = this.shown?.letters;
    this.shown = shown;
    this.scene = this.view.scene = new Scene(shown.film);
    if (this.isFitted) this.view.fit(this.scene.extent);
    byId("message").hidden = true;
    byId("problem").hidden = true;
    byId("solved").hidden = !shown.solved;
    byId("title").textContent = shown.title || "Level";
    byId("note").textContent = shown.note;
    byId("moves").textContent = shown.moves || "none yet";
    byId("turn").textContent = shown.moves ? `Turn ${shown.moves.length} (${shown.moves.at(-1)})` : "Start";
    for (const id of ["undo", "redo", "restart", "solve"]) byId<HTMLButtonElement>(id).disabled = false;
    if (letters !== shown.letters) this.listLetters(shown.letters);
    drawLegend(shown.film, this.theme.palette);
    this.explain(shown.film);
    this.walk();
  }

  /** Show the steps of the turn, the last one that draws or moves something for good. */
  private walk(): void {
    clearTimeout(this.stepping);
    const { steps } = this.scene.film;
    const wanted = steps.map((_, index) => index).filter((index) => index && (steps[index].results || steps[index].moved || steps[index].hidden || steps[index].shown));
    const next = (): void => {
      this.scene.moveTo(wanted.shift() ?? 0);
      this.draw();
      if (wanted.length) this.stepping = setTimeout(next, NEXT_STEP);
    };
    next();
  }

  private explain(film: Film): void {
    const lines: HTMLElement[] = [];
    const said = new Set<string>(); // the frame of a turn reports its motions again
    for (const step of film.steps.slice(1)) {
      for (const result of step.results ?? []) {
        if (!said.has(result.text)) lines.push(make("li", result.stops?.length ? "blocked" : "", [result.text]));
        said.add(result.text);
      }
      for (const event of step.events ?? []) lines.push(make("li", "", [make("b", "", [event.name]), ` ${textOf(event, film.bodies)}`]));
    }
    if (!lines.length) lines.push(make("li", "", ["Nothing moved."]));
    byId("happened").replaceChildren(...lines);
  }

  private listLetters(letters: string): void {
    const arrows = Object.values(ARROWS);
    byId("letters").replaceChildren(
      ...[...letters].map((letter) => {
        const [, sign, word] = arrows.find(([each]) => each === letter) ?? [letter, letter === "." ? "•" : letter, letter === "." ? "Wait" : letter];
        const button = make("button", "", [sign]);
        button.setAttribute("aria-label", word);
        button.dataset.letter = letter;
        button.addEventListener("click", (event) => this.asked(letter, event));
        return button;
      }),
    );
  }

  private asked(letter: string, event: Event): void {
    this.stopSolution();
    this.pressed = event.timeStamp;
    this.turn(letter);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.shown || this.isSolving) return;
    if (event.target instanceof HTMLElement && event.target.closest("textarea, select, [role=tab]")) return;
    const { letters } = this.shown;
    const letter = ARROWS[event.key]?.[0] ?? (event.key.length === 1 && letters.includes(event.key) ? event.key : "");
    const acts: Record<string, string> = { z: "undo", Backspace: "undo", y: "redo", Home: "restart" };
    if (letter && letters.includes(letter)) this.asked(letter, event);
    else if (acts[event.key]) this.act(acts[event.key]);
    else return;
    event.preventDefault();
  }

  private act(name: string): void {
    this.stopSolution();
    void this.do(name);
  }

  private async solve(): Promise<void> {
    if (this.isSolving) {
      this.python.restart();
      await this.load(this.shown?.moves);
      return;
    }
    this.solvingChanged(true);
    try {
      const found = await this.python.call<Found>("solve", SECONDS);
      const about = `${found.states} states in ${found.seconds.toFixed(1)} s`;
      if (found.moves === null) byId("note").textContent = `${found.missing || `Not solved: ${found.outcome}`} (${about}).`;
      else byId("note").textContent = `Solved with ${found.pushes} pushes in ${found.moves.length} turns (${about}).`;
      this.solution = [...(found.moves ?? "")];
      const note = byId("note").textContent;
      void this.playSolution(note ?? "");
    } catch (problem) {
      this.complain((problem as Error).message);
    }
    this.solvingChanged(false);
  }

  private async playSolution(note: string): Promise<void> {
    while (this.solution.length) {
      await this.do("turn", this.solution.shift()!);
      byId("note").textContent = note;
      await new Promise((done) => setTimeout(done, NEXT_TURN));
    }
  }

  private stopSolution(): void {
    this.solution = [];
  }

  private solvingChanged(solving: boolean): void {
    this.isSolving = solving;
    byId("solve").textContent = solving ? "Stop" : "Solve";
    if (solving) byId("note").textContent = "Searching for the fewest pushes...";
  }

  private fit(): void {
    this.isFitted = true;
    this.view.fit(this.scene.extent);
    this.draw();
  }

  private resized(): void {
    this.view.resize(this.stage.clientWidth, this.stage.clientHeight);
    if (this.isFitted) this.view.fit(this.scene.extent);
    this.draw();
  }

  private draw(): void {
    if (!this.theme) return;
    this.marks = marksOf(this.scene, -1);
    this.view.draw(this.marks, { names: false, cells: false, contacts: false }, -1, this.theme.palette);
    if (!this.shown) return;
    this.pictures++;
    this.firstPicture ||= performance.now();
    if (this.pressed) this.reaction = performance.now() - this.pressed;
    this.pressed = 0;
  }

  private themeChanged(): void {
    if (this.shown) drawLegend(this.shown.film, this.theme.palette);
    if (this.theme) this.draw();
  }

  private buttons(): void {
    for (const name of ["undo", "redo", "restart"]) byId(name).addEventListener("click", () => this.act(name));
    byId("solve").addEventListener("click", () => void this.solve());
    byId("theme").addEventListener("click", () => this.theme.toggle());
    byId("share").addEventListener("click", () => void this.share());
    byId("allow").addEventListener("click", () => {
      this.isAllowed = true;
      void this.load();
    });
    const select = byId<HTMLSelectElement>("puzzles");
    select.addEventListener("change", () => void this.choose(select.value));
    for (const id of ["level", "script"]) {
      byId(id).addEventListener("input", () => {
        if (id === "script") this.isAllowed = true;
        clearTimeout(this.typing);
        this.typing = setTimeout(() => void this.edited(), TYPING);
      });
    }
    const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => {
        for (const each of tabs) {
          each.setAttribute("aria-selected", String(each === tab));
          byId(each.getAttribute("aria-controls")!).hidden = each !== tab;
        }
      });
    }
  }

  private async share(): Promise<void> {
    history.replaceState(null, "", await hashOf(this.source));
    try {
      await navigator.clipboard.writeText(location.href);
      byId("share").textContent = "Copied";
    } catch {
      byId("share").textContent = "It is in the address";
    }
    setTimeout(() => (byId("share").textContent = "Copy link"), 2000);
  }
}

Object.assign(window, { playground: new Playground() });
