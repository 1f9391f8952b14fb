/** Elements of the document. Texts of a film only ever become text nodes. */

type Child = Node | string | null | false;

/** Return the element of the template with an id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Return a new element with a class, its children and perhaps something to do on a click. */
export function make(tag: string, style: string, children: Child[] = [], click?: () => void): HTMLElement {
  const element = document.createElement(tag);
  if (style) element.className = style;
  for (const child of children) if (child !== null && child !== false) element.append(child);
  if (click) {
    (element as HTMLButtonElement).type = "button";
    element.addEventListener("click", click);
  }
  return element;
}

/** Give a canvas the size it has on the screen, in its own pixels. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}
