/** The slider under the view, with marks above it for events, refused pushes and notes. */

import { byId, fitCanvas } from "./dom";
import type { Entry } from "./entries";
import type { Palette } from "./theme";

const KNOB = 16; // pixels; the first step is half a knob from the edge

export class Timeline {
  readonly slider = byId<HTMLInputElement>("time");
  private readonly canvas = byId<HTMLCanvasElement>("marks");

  constructor(private readonly entries: Entry[], private readonly steps: number, moved: (step: number) => void) {
    this.slider.max = String(steps);
    this.slider.addEventListener("input", () => moved(Number(this.slider.value)));
  }

  show(step: number, label: string): void {
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", label);
  }

  draw(palette: Palette): void {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    fitCanvas(canvas, width, height, ratio);
    const context = canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const drawn = new Set<string>(); // at most one of a kind for a pixel
    for (const entry of this.entries) {
      if (entry.kind === "plan") continue; // games plan much that they do not do
      const x = Math.round(KNOB / 2 + (entry.step / (this.steps || 1)) * (width - KNOB));
      const key = `${entry.kind} ${x}`;
      if (drawn.has(key)) continue;
      drawn.add(key);
      if (entry.kind === "event") {
        context.fillStyle = palette.quiet;
        context.fillRect(x - 0.5, 6, 1, 8);
      } else if (entry.kind === "blocked") {
        context.strokeStyle = palette.danger;
        context.lineWidth = 1.5;
        context.strokeRect(x - 2.5, 7, 5, 5);
      } else {
        context.fillStyle = palette.danger;
        context.beginPath();
        for (const [dx, dy] of [[0, -5], [5, 0], [0, 5], [-5, 0]]) context.lineTo(x + dx, 6 + dy);
        context.fill();
      }
    }
  }
}
