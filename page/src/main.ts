/** The page: reads the film, makes the views, and joins them to buttons, keys, list and time line. */

import { DeepView, UPS } from "./deep";
import { byId } from "./dom";
import { entriesOf, type Entry } from "./entries";
import { centre, type Marks, marksOf } from "./explain";
import { type Film, readFilm } from "./film";
import { FlatView } from "./flat";
import { useKeys } from "./keys";
import { drawLegend } from "./legend";
import { EventList } from "./list";
import type { Options } from "./paint";
import { Panel, summary } from "./panel";
import { paceOf, Player, SPEEDS } from "./player";
import { Scene } from "./scene";
import { Theme } from "./theme";
import { Timeline } from "./timeline";
import type { View } from "./view";

const PANEL_EVERY = 100; // milliseconds between two texts while playing
const PLAY = "M7 4v16l13-8z";
const PAUSE = "M6 5h4v14H6zm8 0h4v14h-4z";

type ViewName = "2d" | "3d";

class Replay {
  readonly scene: Scene;
  selected = -1;
  marks: Marks = { arrows: [], labels: [], blockers: [], pushed: [] };
  readonly options: Options = { names: false, cells: false, contacts: false };
  following = false;
  /** Whether the views still show everything; then they do so in a window of another size, too. */
  private isFitted = true;
  viewName: ViewName = "2d";
  /** Pictures drawn so far, and milliseconds from the opening of the page to the first. */
  pictures = 0;
  firstPicture = 0;
  private readonly player: Player;
  private readonly theme: Theme;
  private readonly flat: FlatView;
  private deep: DeepView | null = null;
  private readonly entries: Entry[];
  private readonly list: EventList;
  private readonly panel: Panel;
  private readonly timeline: Timeline;
  private readonly stage = byId("stage");
  private isDue = false;
  private panelAt = 0;
  private panelTimer = 0;

  constructor(readonly film: Film) {
    this.scene = new Scene(film);
    this.theme = new Theme(() => this.themeChanged());
    this.player = new Player(paceOf(film));
    this.entries = entriesOf(film);
    this.flat = new FlatView(byId<HTMLCanvasElement>("flat"), this.scene, () => this.viewMoved(), (x, y) => this.clicked(x, y));
    this.list = new EventList(film, this.entries, (entry) => this.jump(entry));
    this.panel = new Panel(film, this.scene, {
      select: (body) => this.select(body),
      next: (body, way) => this.next(way, body),
    });
    this.timeline = new Timeline(this.entries, this.lastStep, (step) => this.goTo(step));
    document.title = film.title;
    byId("title").textContent = byId("title").title = film.title;
    byId("message").hidden = film.bodies.length > 0;
    byId("message").textContent = "There is no body in this recording.";
    this.buttons();
    this.keys();
    new ResizeObserver(() => this.resized()).observe(this.stage);
    this.resized();
    this.themeChanged();
    this.scene.moveTo(film.open_at ?? 0);
    this.show(film.flat ? "2d" : "3d");
    this.stepChanged(true);
  }

  get lastStep(): number {
    return this.film.steps.length - 1;
  }

  get view(): View {
    return this.viewName === "3d" && this.deep ? this.deep : this.flat;
  }

  get step(): number {
    return this.scene.step;
  }

  get playing(): boolean {
    return this.player.playing;
  }

  get speed(): number {
    return this.player.speed;
  }

  get isDark(): boolean {
    return this.theme.isDark;
  }

  /** Entries of the list that the search shows. */
  get found(): Entry[] {
    return this.list.shown;
  }

  /** Return where the middle of a body is in the window, in pixels. */
  placeOf(body: number): [number, number] | null {
    const at = this.view.project(...centre(this.scene, body));
    const box = this.stage.getBoundingClientRect();
    return at && [box.left + at[0], box.top + at[1]];
  }

  goTo(step: number): void {
    if (this.playing) this.pause();
    this.scene.moveTo(step);
    this.stepChanged(true);
  }

  play(): void {
    if (this.step === this.lastStep) this.scene.moveTo(0);
    this.player.start(performance.now());
    this.playChanged();
    this.request();
  }

  pause(): void {
    this.player.stop();
    this.playChanged();
    this.stepChanged(true);
  }

  select(body: number): void {
    this.selected = body;
    if (body < 0) this.following = false;
    this.panel.show(body);
    this.followChanged();
    this.stepChanged(true);
  }

  show(name: ViewName): void {
    if (name === "3d" && !this.deep && !this.makeDeep()) name = "2d";
    this.viewName = name;
    byId("flat").hidden = name !== "2d";
    byId("deep").hidden = byId("overlay").hidden = byId("up").hidden = name !== "3d";
    press("flat-view", name === "2d");
    press("deep-view", name === "3d");
    this.request();
  }

  setSpeed(speed: number): void {
    this.player.speed = speed;
    byId<HTMLSelectElement>("speed").value = String(speed);
  }

  toggle(option: keyof Options): void {
    this.options[option] = !this.options[option];
    press(option, this.options[option]);
    this.request();
  }

  fit(): void {
    this.following = false;
    this.followChanged();
    this.isFitted = true;
    this.view.fit(this.scene.extent);
    this.request();
  }

  zoom(factor: number): void {
    this.isFitted = false;
    this.view.zoom(factor);
    this.request();
  }

  /** Go to the next entry, or the one before, perhaps only of a body. */
  next(way: 1 | -1, body = -1): void {
    const fits = (entry: Entry): boolean =>
      (body >= 0 || entry.kind !== "plan") && (way > 0 ? entry.step > this.step : entry.step < this.step) && (body < 0 || entry.bodies.includes(body));
    const entry = way > 0 ? this.entries.find(fits) : this.entries.findLast(fits);
    if (entry) this.goTo(entry.step);
    else this.say(way > 0 ? "Nothing after this step." : "Nothing before this step.");
  }

  private jump(entry: Entry): void {
    if (entry.step >= 0 && this.playing) this.pause();
    if (entry.step >= 0) this.scene.moveTo(entry.step);
    this.select(entry.bodies[0] ?? -1);
    this.bringIntoSight();
  }

  /** Move the view if the selected body is outside it. */
  private bringIntoSight(): void {
    if (this.selected < 0 || !this.scene.now.shown[this.selected]) return;
    const at = this.view.project(...centre(this.scene, this.selected));
    const { clientWidth, clientHeight } = this.stage;
    if (at && at[0] > 0 && at[1] > 0 && at[0] < clientWidth && at[1] < clientHeight) return;
    this.isFitted = false;
    this.view.centreOn(...centre(this.scene, this.selected));
    this.request();
  }

  private clicked(x: number, y: number): void {
    this.select(this.view.pick(x, y));
    if (this.selected >= 0) this.panel.open(true);
  }

  private viewMoved(): void {
    this.following = this.isFitted = false;
    this.followChanged();
    this.request();
  }

  private makeDeep(): boolean {
    try {
      this.deep = new DeepView(
        byId<HTMLCanvasElement>("deep"), byId<HTMLCanvasElement>("overlay"), this.scene,
        () => this.request(), () => this.viewMoved(), (x, y) => this.clicked(x, y),
      );
    } catch (problem) {
      byId("message").textContent = String((problem as Error).message ?? problem);
      byId("message").hidden = false;
      byId<HTMLButtonElement>("deep-view").disabled = true;
      return false;
    }
    this.deep.resize(this.stage.clientWidth, this.stage.clientHeight);
    this.deep.fit(this.scene.extent);
    return true;
  }

  private toggleFollow(): void {
    this.following = !this.following && this.selected >= 0;
    if (this.following) this.isFitted = false;
    this.followChanged();
    this.request();
  }

  private nextUp(): void {
    if (!this.deep || this.viewName !== "3d") return;
    this.deep.lookFrom(UPS[(UPS.indexOf(this.deep.up) + 1) % UPS.length]);
    byId("up").textContent = `${this.deep.up} up`;
    this.request();
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this.stage;
    this.flat.resize(clientWidth, clientHeight);
    this.deep?.resize(clientWidth, clientHeight);
    if (this.isFitted) for (const view of [this.flat, this.deep]) view?.fit(this.scene.extent);
    this.timeline.draw(this.theme.palette);
    this.list.draw();
    this.request();
  }

  private themeChanged(): void {
    if (!this.timeline) return;
    this.timeline.draw(this.theme.palette);
    drawLegend(this.film, this.theme.palette);
    this.request();
  }

  private stepChanged(now: boolean): void {
    const { scene } = this;
    const text = summary(scene, scene.current);
    this.timeline.show(scene.step, text);
    byId("where").textContent = `${scene.step} / ${this.lastStep}  ${scene.current.label}`;
    if (now || performance.now() - this.panelAt > PANEL_EVERY) this.showPanel();
    if (!this.playing) {
      clearTimeout(this.panelTimer);
      this.panelTimer = setTimeout(() => this.say(text), 300);
    }
    this.request();
  }

  private showPanel(): void {
    this.panelAt = performance.now();
    this.panel.show(this.selected);
    this.list.show(this.step, true);
  }

  private say(text: string): void {
    byId("live").textContent = text;
  }

  private playChanged(): void {
    byId("play-icon").setAttribute("d", this.playing ? PAUSE : PLAY);
    byId("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  private followChanged(): void {
    byId<HTMLButtonElement>("follow").disabled = this.selected < 0;
    press("follow", this.following);
  }

  private request(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame((time) => this.draw(time));
  }

  private draw(time: number): void {
    this.isDue = false;
    if (this.playing) this.goOn(time);
    if (this.following && this.selected >= 0) this.view.centreOn(...centre(this.scene, this.selected));
    this.marks = marksOf(this.scene, this.selected);
    this.view.draw(this.marks, this.options, this.selected, this.theme.palette);
    this.firstPicture ||= performance.now();
    this.pictures++;
    if (this.playing) this.request();
  }

  private goOn(time: number): void {
    const step = this.player.tick(time, this.step);
    if (step === this.step) return;
    this.scene.moveTo(step);
    if (this.step === this.lastStep) this.pause();
    else this.stepChanged(false);
  }

  private buttons(): void {
    const clicks: [string, () => void][] = [
      ["flat-view", () => this.show("2d")], ["deep-view", () => this.show("3d")], ["up", () => this.nextUp()],
      ["names", () => this.toggle("names")], ["cells", () => this.toggle("cells")], ["contacts", () => this.toggle("contacts")],
      ["theme", () => this.theme.toggle()], ["help-button", () => this.help()], ["close-help", () => this.help()],
      ["closer", () => this.zoom(1.3)], ["farther", () => this.zoom(1 / 1.3)], ["fit", () => this.fit()],
      ["follow", () => this.toggleFollow()], ["first", () => this.goTo(0)], ["last", () => this.goTo(this.lastStep)],
      ["back", () => this.goTo(this.step - 1)], ["forward", () => this.goTo(this.step + 1)],
      ["play", () => (this.playing ? this.pause() : this.play())],
    ];
    for (const [id, act] of clicks) byId(id).addEventListener("click", act);
    const speed = byId<HTMLSelectElement>("speed");
    for (const each of SPEEDS) speed.add(new Option(`${each} ×`, String(each)));
    speed.addEventListener("change", () => this.setSpeed(Number(speed.value)));
    this.setSpeed(1);
  }

  private help(): void {
    const dialog = byId<HTMLDialogElement>("help");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  private keys(): void {
    const faster = (way: number): void =>
      this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + way))]);
    const by = (event: KeyboardEvent): number => (event.shiftKey ? 10 : 1);
    useKeys([
      { keys: [" "], shown: "space", text: "play or pause", act: () => (this.playing ? this.pause() : this.play()) },
      { keys: ["ArrowLeft"], shown: "←", text: "a step back; with shift ten", act: (event) => this.goTo(this.step - by(event)) },
      { keys: ["ArrowRight"], shown: "→", text: "a step forward; with shift ten", act: (event) => this.goTo(this.step + by(event)) },
      { keys: ["Home"], shown: "Home", text: "to the start", act: () => this.goTo(0) },
      { keys: ["End"], shown: "End", text: "to the end", act: () => this.goTo(this.lastStep) },
      { keys: ["e"], shown: "E", text: "to the next event, refused push or note", act: () => this.next(1) },
      { keys: ["E", "w"], shown: "W", text: "to the one before", act: () => this.next(-1) },
      { keys: [",", "<"], shown: ",", text: "slower", act: () => faster(-1) },
      { keys: [".", ">"], shown: ".", text: "faster", act: () => faster(1) },
      { keys: ["+", "="], shown: "+", text: "zoom in", act: () => this.zoom(1.3) },
      { keys: ["-", "_"], shown: "−", text: "zoom out", act: () => this.zoom(1 / 1.3) },
      { keys: ["f"], shown: "F", text: "show everything", act: () => this.fit() },
      { keys: ["l"], shown: "L", text: "follow the selected body", act: () => this.toggleFollow() },
      { keys: ["n"], shown: "N", text: "names of bodies", act: () => this.toggle("names") },
      { keys: ["c"], shown: "C", text: "cells of the index", act: () => this.toggle("cells") },
      { keys: ["k"], shown: "K", text: "contacts with their normals", act: () => this.toggle("contacts") },
      { keys: ["2"], shown: "2", text: "flat view", act: () => this.show("2d") },
      { keys: ["3"], shown: "3", text: "view in space", act: () => this.show("3d") },
      { keys: ["u"], shown: "U", text: "which way is up, in space", act: () => this.nextUp() },
      { keys: ["t"], shown: "T", text: "dark or light", act: () => this.theme.toggle() },
      { keys: ["/"], shown: "/", text: "search", act: () => this.openSearch() },
      { keys: ["Escape"], shown: "Esc", text: "select nothing", act: () => this.select(-1) },
      { keys: ["?"], shown: "?", text: "this help", act: () => this.help() },
    ]);
  }

  private openSearch(): void {
    this.panel.open(true);
    byId("search").focus();
  }
}

function press(id: string, pressed: boolean): void {
  byId(id).setAttribute("aria-pressed", String(pressed));
}

async function open(): Promise<void> {
  try {
    const film = await readFilm(byId("film").textContent ?? "");
    Object.assign(window, { replay: new Replay(film) });
  } catch (problem) {
    byId("message").textContent = `The recording cannot be shown: ${(problem as Error).message}`;
    throw problem;
  }
}

void open();
