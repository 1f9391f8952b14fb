/** The keys, and their list in the help. */

import { byId, make } from "./dom";

export interface Key {
  /** Names of keys as `KeyboardEvent.key` has them. */
  keys: string[];
  shown: string;
  text: string;
  act(event: KeyboardEvent): void;
}

export function useKeys(all: Key[]): void {
  byId("keys").append(
    ...all.map((key) => make("tr", "", [make("td", "", [make("kbd", "", [key.shown])]), make("td", "", [key.text])])),
  );
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input:not([type=range]), select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (target.matches("button, summary") && (event.key === " " || event.key === "Enter")) return;
    const key = all.find((each) => each.keys.includes(event.key));
    if (!key || (document.querySelector("dialog[open]") && event.key !== "?")) return;
    event.preventDefault();
    key.act(event);
  });
}
