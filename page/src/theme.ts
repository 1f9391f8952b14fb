/** Colours: those of the style sheet, for the canvases. Dark or light as the system says, until the button is used. */

import { KINDS, type Kind } from "./film";

export interface Palette {
  stage: string;
  card: string;
  line: string;
  text: string;
  quiet: string;
  accent: string;
  danger: string;
  edge: string;
  cells: string;
  contact: string;
  kinds: Record<Kind, string>;
  /** The same for bodies that are asleep. */
  pale: Record<Kind, string>;
}

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

export class Theme {
  palette: Palette;
  private chosen: boolean | null = null;

  constructor(private readonly changed: () => void) {
    SYSTEM.addEventListener("change", () => this.use());
    this.palette = this.read();
  }

  get isDark(): boolean {
    return this.chosen ?? SYSTEM.matches;
  }

  toggle(): void {
    this.chosen = !this.isDark;
    this.use();
  }

  private use(): void {
    this.palette = this.read();
    this.changed();
  }

  private read(): Palette {
    const root = document.documentElement;
    root.dataset.theme = this.isDark ? "dark" : "light";
    root.style.colorScheme = root.dataset.theme;
    const style = getComputedStyle(root);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    const stage = colour("stage");
    const kinds = Object.fromEntries(KINDS.map((kind) => [kind, colour(kind)])) as Record<Kind, string>;
    const pale = Object.fromEntries(KINDS.map((kind) => [kind, mixed(kinds[kind], stage, 0.55)])) as Record<Kind, string>;
    return {
      stage, kinds, pale, card: colour("card"), line: colour("line"), text: colour("text"), quiet: colour("quiet"),
      accent: colour("accent"), danger: colour("danger"), edge: colour("edge"), cells: colour("cells"),
      contact: colour("contact"),
    };
  }
}

/** Return a colour between two, given as #rrggbb; 0 is the first. */
export function mixed(first: string, second: string, share: number): string {
  const channel = (at: number): string => {
    const a = parseInt(first.slice(at, at + 2), 16);
    const b = parseInt(second.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * share).toString(16).padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
