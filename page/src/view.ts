/** What the flat view and the view in space have in common. */

import type { Marks } from "./explain";
import type { Bounds } from "./geometry";
import type { Options, Point } from "./paint";
import type { Palette } from "./theme";

export interface View {
  readonly canvas: HTMLCanvasElement;
  readonly cellCount: number;
  resize(width: number, height: number): void;
  fit(box: Bounds): void;
  zoom(factor: number): void;
  centreOn(x: number, y: number, z: number): void;
  project(x: number, y: number, z: number): Point | null;
  pick(x: number, y: number): number;
  draw(marks: Marks, options: Options, selected: number, palette: Palette): void;
}
