/** The view in space: three.js, one mesh for each kind. Marks are painted on a canvas above it. */

import {
  BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, Color, LineBasicMaterial, LineSegments, PerspectiveCamera,
  Raycaster, Scene as Space, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

import { type Kind, type Part, UNIT } from "./film";
import { type Bounds, type Cell, matrixOf, placed } from "./geometry";
import type { Marks } from "./explain";
import { type Options, Painter, type Point } from "./paint";
import type { Scene } from "./scene";
import { boxTemplate, Solids, type Template, templateOf } from "./solids";
import { mixed, type Palette } from "./theme";
import { fitCanvas } from "./dom";
import type { View } from "./view";

export type Up = "−y" | "+y" | "+z";
export const UPS: Up[] = ["−y", "+y", "+z"];

const SEEN_FROM: Record<Up, { up: [number, number, number]; from: [number, number, number] }> = {
  "−y": { up: [0, -1, 0], from: [0.35, -0.75, -1] },
  "+y": { up: [0, 1, 0], from: [0.35, 0.75, 1] },
  "+z": { up: [0, 0, 1], from: [0.35, -1, 0.85] },
};
const CLICK_MOVES = 5; // pixels that a click may move
const FILLED = 0.88; // share of the view that everything fills
const MANY = 500; // bodies; more get balls with fewer faces

/** How a part is drawn: its template, and the scale along its axes. */
interface Shape {
  template: Template;
  scale: [number, number, number];
  part: Part;
}

export class DeepView implements View {
  cellCount = 0;
  /** Triangles in the last picture. */
  triangles = 0;
  up: Up = "−y";
  private readonly renderer: WebGLRenderer;
  private readonly space = new Space();
  private readonly camera = new PerspectiveCamera(45, 1, 0.1, 1000);
  private readonly sun = new Vector3(); // where light comes from
  private controls!: OrbitControls;
  private readonly solids = new Map<Kind, Solids>();
  private readonly templates = new Map<string, Template>();
  private readonly shapes = new WeakMap<Part[], Shape[]>();
  private readonly origin: [number, number, number];
  private readonly painter: CanvasRenderingContext2D;
  private lines: LineSegments | null = null;
  private width = 1;
  private height = 1;
  private ratio = 1;
  private readonly isSoftware: boolean;

  constructor(
    readonly canvas: HTMLCanvasElement, private readonly overlay: HTMLCanvasElement, private readonly scene: Scene,
    private readonly changed: () => void, private readonly moved: () => void, picked: (x: number, y: number) => void,
  ) {
    this.isSoftware = drawsBySoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.isSoftware, powerPreference: "high-performance" });
    this.painter = overlay.getContext("2d")!;
    const { x0, y0, z0, x1, y1, z1 } = scene.extent;
    this.origin = x0 <= x1 ? [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2] : [0, 0, 0];
    this.lookFrom("−y");
    let start: Point = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (start = [event.offsetX, event.offsetY]));
    canvas.addEventListener("click", (event) => {
      const moved = Math.abs(event.offsetX - start[0]) + Math.abs(event.offsetY - start[1]);
      if (moved <= CLICK_MOVES) picked(event.offsetX, event.offsetY);
    });
  }

  /** Choose which way is up, and look from there. */
  lookFrom(up: Up): void {
    this.up = up;
    this.controls?.dispose();
    this.camera.up.set(...SEEN_FROM[up].up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", this.changed);
    this.controls.addEventListener("start", this.moved);
    this.fit(this.scene.extent);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.ratio = this.isSoftware ? 1 : Math.min(2, devicePixelRatio || 1);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    fitCanvas(this.overlay, width, height, Math.min(2, devicePixelRatio || 1));
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  fit(box: Bounds): void {
    if (!(box.x0 <= box.x1)) return;
    const [ox, oy, oz] = this.origin;
    const target = new Vector3((box.x0 + box.x1) / 2 - ox, (box.y0 + box.y1) / 2 - oy, (box.z0 + box.z1) / 2 - oz).divideScalar(UNIT);
    const look = new Vector3(...SEEN_FROM[this.up].from).normalize(); // from the target to the camera
    const right = new Vector3().crossVectors(this.camera.up, look).normalize();
    const top = new Vector3().crossVectors(look, right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360) * FILLED;
    const wide = high * this.camera.aspect;
    let distance = 1;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? box.x1 : box.x0, i & 2 ? box.y1 : box.y0, i & 4 ? box.z1 : box.z0);
      corner.sub(new Vector3(...this.origin)).divideScalar(UNIT).sub(target);
      const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(top)) / high);
      distance = Math.max(distance, needed + corner.dot(look));
    }
    this.camera.position.copy(target).addScaledVector(look, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  centreOn(x: number, y: number, z: number): void {
    const [ox, oy, oz] = this.origin;
    const to = new Vector3((x - ox) / UNIT, (y - oy) / UNIT, (z - oz) / UNIT);
    this.camera.position.add(to).sub(this.controls.target);
    this.controls.target.copy(to);
    this.controls.update();
  }

  project = (x: number, y: number, z: number): Point | null => {
    const [ox, oy, oz] = this.origin;
    const at = new Vector3((x - ox) / UNIT, (y - oy) / UNIT, (z - oz) / UNIT).project(this.camera);
    return at.z > 1 ? null : [((at.x + 1) * this.width) / 2, ((1 - at.y) * this.height) / 2];
  };

  pick(x: number, y: number): number {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((x / this.width) * 2 - 1, 1 - (y / this.height) * 2), this.camera);
    let nearest = Infinity;
    let body = -1;
    for (const solids of this.solids.values()) {
      const hit = solids.mesh.visible ? caster.intersectObject(solids.mesh, false)[0] : undefined;
      // a trigger is picked only if nothing is in it
      const distance = hit ? hit.distance + (solids.isTrigger ? 1e6 : 0) : Infinity;
      if (distance < nearest) [nearest, body] = [distance, solids.bodyOf(hit!.faceIndex!)];
    }
    return body;
  }

  draw(marks: Marks, options: Options, selected: number, palette: Palette): void {
    this.sun.copy(this.camera.position).sub(this.controls.target).normalize();
    this.sun.addScaledVector(new Vector3(...SEEN_FROM[this.up].up), 1.4).normalize();
    this.fill(marks, selected, palette);
    this.cells(options.cells, palette);
    this.renderer.setClearColor(palette.stage);
    this.renderer.render(this.space, this.camera);
    this.triangles = this.renderer.info.render.triangles;
    const ratio = this.overlay.width / this.width;
    this.painter.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.painter.clearRect(0, 0, this.width, this.height);
    this.camera.updateMatrixWorld();
    for (const body of marks.blockers) this.frame(body, palette.danger);
    if (selected >= 0) this.frame(selected, palette.accent);
    new Painter(this.painter, this.project, palette).paint(this.scene, marks, options, selected);
  }

  /** Place each part of each shown body. */
  private fill(marks: Marks, selected: number, palette: Palette): void {
    const { now, count } = this.scene;
    const [ox, oy, oz] = this.origin;
    const colours = coloursOf(palette);
    const eye = this.camera.position;
    for (const solids of this.solids.values()) solids.begin();
    for (let body = 0; body < count; body++) {
      if (!now.shown[body]) continue;
      const kind = now.kind[body];
      const turned = matrixOf(now.rotation[body]);
      let colour = (now.asleep[body] ? colours.pale : colours.kinds)[kind];
      if (body === selected) colour = colours.accent;
      else if (marks.blockers.includes(body)) colour = colour.map((each, channel) => (each + colours.danger[channel]) / 2);
      const solids = this.solidsOf(kind);
      for (const { template, scale, part } of this.shapesOf(now.parts[body])) {
        const at = placed(part, turned);
        const m = at.matrix;
        const x = (now.x[body] + at.x - ox) / UNIT;
        const y = (now.y[body] + at.y - oy) / UNIT;
        const z = (now.z[body] + at.z - oz) / UNIT;
        let [sx, sy, sz] = scale;
        if (template.isBox) {
          // mirror the three faces to the side of the camera
          const [dx, dy, dz] = [eye.x - x, eye.y - y, eye.z - z];
          if ((m ? m[0] * dx + m[3] * dy + m[6] * dz : dx) < 0) sx = -sx;
          if ((m ? m[1] * dx + m[4] * dy + m[7] * dz : dy) < 0) sy = -sy;
          if ((m ? m[2] * dx + m[5] * dy + m[8] * dz : dz) < 0) sz = -sz;
        }
        solids.add(body, template, x, y, z, m, [sx, sy, sz], colour, this.sun);
      }
    }
    for (const solids of this.solids.values()) solids.end();
  }

  private solidsOf(kind: Kind): Solids {
    let solids = this.solids.get(kind);
    if (!solids) {
      solids = new Solids(pictureOf(kind), kind === "trigger");
      this.solids.set(kind, solids);
      this.space.add(solids.mesh);
    }
    return solids;
  }

  private shapesOf(parts: Part[]): Shape[] {
    let shapes = this.shapes.get(parts);
    if (!shapes) {
      shapes = parts.map((part) => this.shapeOf(part));
      this.shapes.set(parts, shapes);
    }
    return shapes;
  }

  private shapeOf(part: Part): Shape {
    const [hx, hy, hz, radius] = part.slice(3, 7).map((each) => (each as number) / UNIT);
    const make = (key: string, scale: [number, number, number], build: () => BufferGeometry): Shape => {
      if (!this.templates.has(key)) this.templates.set(key, templateOf(build()));
      return { template: this.templates.get(key)!, scale, part };
    };
    if (!radius) {
      const thin = 0.002; // a side without length is still seen
      const sides: [number, number, number] = [2 * hx || thin, 2 * hy || thin, 2 * hz || thin];
      const key = `box ${sides.join(" ")}`;
      if (!this.templates.has(key)) this.templates.set(key, boxTemplate(sides));
      return { template: this.templates.get(key)!, scale: sides, part };
    }
    const sides = [hx, hy, hz].filter((half) => half > 0).length;
    if (sides === 0) return make("ball", [radius, radius, radius], () => new SphereGeometry(1, ...(this.scene.count > MANY ? [12, 8] as const : [24, 16] as const)));
    const key = `${hx} ${hy} ${hz} ${radius}`;
    if (sides > 1) {
      return make(key, [1, 1, 1], () => new RoundedBoxGeometry(2 * (hx + radius), 2 * (hy + radius), 2 * (hz + radius), 3, radius));
    }
    return make(key, [1, 1, 1], () => {
      const capsule = new CapsuleGeometry(radius, 2 * (hx + hy + hz), 6, 14);
      if (hx) capsule.rotateZ(Math.PI / 2);
      if (hz) capsule.rotateX(Math.PI / 2);
      return capsule;
    });
  }

  private cells(wanted: boolean, palette: Palette): void {
    if (this.lines) {
      this.space.remove(this.lines);
      this.lines.geometry.dispose();
      this.lines = null;
    }
    this.cellCount = 0;
    if (!wanted) return;
    const { film } = this.scene;
    const cells = this.scene.cells();
    const ends: number[] = [];
    for (const cell of cells) addCellEdges(ends, cell, film.bin, film.flat, this.origin);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(ends), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ color: palette.cells, transparent: true, opacity: 0.45 }));
    this.lines.frustumCulled = false;
    this.space.add(this.lines);
    this.cellCount = cells.length;
  }

  /** Draw the edges of the box around a body, also where others hide them. */
  private frame(body: number, colour: string): void {
    if (!this.scene.now.shown[body]) return;
    const box = this.scene.boundsOf(body);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
      this.project(i & 1 ? box.x1 : box.x0, i & 2 ? box.y1 : box.y0, i & 4 ? box.z1 : box.z0),
    );
    this.painter.strokeStyle = colour;
    this.painter.lineWidth = 2;
    this.painter.beginPath();
    for (const [a, b] of EDGES) {
      const from = corners[a];
      const to = corners[b];
      if (!from || !to) continue;
      this.painter.moveTo(...from);
      this.painter.lineTo(...to);
    }
    this.painter.stroke();
  }
}

/** Return the picture on the faces of a kind: the signs of the flat view. */
function pictureOf(kind: Kind): CanvasTexture | null {
  if (kind === "static" || kind === "trigger") return null;
  const size = 64;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, size, size);
  context.strokeStyle = context.fillStyle = "rgb(0 0 0 / .4)";
  context.lineWidth = 3;
  const line = (x0: number, y0: number, x1: number, y1: number): void => {
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
  };
  if (kind === "pushable") context.rect(14, 14, 36, 36);
  if (kind === "dynamic") line(12, 32, 52, 32);
  if (kind === "solid") line(20, 20, 44, 44);
  if (kind === "solid") line(20, 44, 44, 20);
  if (kind === "mover") context.arc(32, 32, 9, 0, 2 * Math.PI);
  if (kind === "mover") context.fill();
  else context.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = "srgb";
  return texture;
}

/** Pairs of corners of a box; bit 0 is the side along x, bit 1 along y, bit 2 along z. */
const EDGES = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

function addCellEdges(ends: number[], cell: Cell, bin: number, flat: boolean, origin: number[]): void {
  const edge = bin * 2 ** cell.level;
  const corner = (i: number): [number, number, number] => [
    ((cell.x + (i & 1)) * edge - origin[0]) / UNIT,
    ((cell.y + ((i >> 1) & 1)) * edge - origin[1]) / UNIT,
    flat ? -origin[2] / UNIT : ((cell.z + (i >> 2)) * edge - origin[2]) / UNIT,
  ];
  for (const [a, b] of EDGES) if (!flat || b < 4) ends.push(...corner(a), ...corner(b));
}

/** Colours as three numbers for light. */
interface Colours {
  kinds: Record<Kind, number[]>;
  pale: Record<Kind, number[]>;
  accent: number[];
  danger: number[];
}

const KNOWN_COLOURS = new WeakMap<Palette, Colours>();

function coloursOf(palette: Palette): Colours {
  let colours = KNOWN_COLOURS.get(palette);
  if (!colours) {
    const numbers = (text: string): number[] => new Color(text).toArray();
    const all = (from: Record<Kind, string>): Record<Kind, number[]> =>
      Object.fromEntries(Object.entries(from).map(([kind, text]) => [kind, numbers(text)])) as Record<Kind, number[]>;
    colours = {
      kinds: all(palette.kinds), pale: all(palette.pale),
      accent: numbers(mixed(palette.accent, "#ffffff", 0.25)), danger: numbers(palette.danger),
    };
    KNOWN_COLOURS.set(palette, colours);
  }
  return colours;
}

/** Return whether WebGL draws without a graphics card; smooth edges would cost most of the time then. */
function drawsBySoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) throw new Error("This browser does not draw in space (no WebGL 2); the flat view works.");
  const detail = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(detail ? detail.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
