/** The kinds of bodies that occur, each with its colour and sign as the flat view draws them. */

import { byId, make } from "./dom";
import { type Film, type Kind, KINDS, UNIT } from "./film";
import { FlatView } from "./flat";
import { Scene } from "./scene";
import type { Palette } from "./theme";

const SIZE = 18; // pixels

export function drawLegend(film: Film, palette: Palette): void {
  const used = new Set<Kind>(film.bodies.map((body) => body.kind));
  for (const step of film.steps) for (const [, kind] of step.kinds ?? []) used.add(kind);
  byId("legend").replaceChildren(
    ...KINDS.filter((kind) => used.has(kind)).map((kind) => make("li", "", [sample(kind, palette), kind])),
  );
}

function sample(kind: Kind, palette: Palette): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const half = UNIT / 2;
  const scene = new Scene({
    version: 1, title: "", remarks: [], flat: true, bin: UNIT, steps: [{ label: "", act: "start", frame: 0 }],
    bodies: [{
      id: 0, name: "", kind, at: [0, 0, 0], rotation: null, parts: [[0, 0, 0, half, half, half, 0, 0]], group: -1,
      asleep: 0, shown: 1, components: [],
    }],
  });
  const view = new FlatView(canvas, scene, () => {}, () => {});
  view.resize(SIZE, SIZE);
  view.look(0, 0, (SIZE - 3) / UNIT);
  view.draw({ arrows: [], labels: [], blockers: [], pushed: [] }, { names: false, cells: false, contacts: false }, -1, palette);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
