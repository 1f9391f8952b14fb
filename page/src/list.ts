/** The list of entries beside the view. Only the rows that can be seen are elements, so long recordings stay quick. */

import { byId, make } from "./dom";
import { type Entry, search } from "./entries";
import type { Film } from "./film";

const ROW = 34; // pixels, as in the style sheet

export class EventList {
  shown: Entry[];
  private readonly box = byId("events");
  private readonly space = make("div", "");
  private readonly rows = make("div", "");
  private step = -1;

  constructor(private readonly film: Film, private readonly entries: Entry[], private readonly jump: (entry: Entry) => void) {
    this.shown = entries;
    this.box.append(this.space, this.rows);
    this.box.style.setProperty("--digits", `${String(film.steps.length - 1).length}ch`);
    this.box.addEventListener("scroll", () => this.draw());
    const field = byId<HTMLInputElement>("search");
    field.addEventListener("input", () => this.find(field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.shown.length) jump(this.shown[0]);
    });
    this.find("");
  }

  find(text: string): void {
    this.shown = search(this.film, this.entries, text);
    const found = this.shown.length;
    byId("count").textContent = text.trim()
      ? `${found} found`
      : this.entries.length ? `${found} in ${this.film.steps.length - 1} steps` : "No events.";
    this.space.style.height = `${found * ROW}px`;
    this.box.scrollTop = 0;
    this.draw();
  }

  /** Mark the entries of a step, and bring them into sight. */
  show(step: number, follow: boolean): void {
    if (step === this.step) return;
    this.step = step;
    if (follow) {
      const next = this.shown.findIndex((entry) => entry.step >= step);
      const at = (next < 0 ? this.shown.length : next) * ROW;
      if (at < this.box.scrollTop || at + ROW > this.box.scrollTop + this.box.clientHeight) {
        this.box.scrollTop = Math.max(0, at - this.box.clientHeight / 3);
      }
    }
    this.draw();
  }

  draw(): void {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 2);
    const last = Math.min(this.shown.length, first + Math.ceil(this.box.clientHeight / ROW) + 5);
    const rows: Node[] = [];
    for (let i = first; i < last; i++) {
      const entry = this.shown[i];
      const at = make("span", "at", [entry.step < 0 ? "" : String(entry.step)]);
      const row = make("button", "", [at, make("span", `dot ${entry.kind}`), make("span", "what", [entry.text])], () => this.jump(entry));
      row.title = entry.text;
      row.style.top = `${i * ROW}px`;
      if (entry.step === this.step) row.setAttribute("aria-current", "true");
      rows.push(row);
    }
    this.rows.replaceChildren(...rows);
  }
}
