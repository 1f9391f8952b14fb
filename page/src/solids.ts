/**
 * All bodies of a kind as one mesh, whose corners are computed here for each picture.
 *
 * Not taken: instances, a matrix for each body. Without a graphics card Chromium draws them one by one, 25 us each: 17
 * pictures a second with 2,000 boxes on the machine where this mesh has 47.
 */

import {
  BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshBasicMaterial, Sphere, type Texture, Vector3,
} from "three";

import type { Matrix } from "./geometry";

/** A shape to place: corners, normals, places on the picture, and for boxes how far from the middle, for their edges. */
export interface Template {
  position: ArrayLike<number>;
  normal: ArrayLike<number>;
  uv: ArrayLike<number>;
  index: ArrayLike<number>;
  /** Boxes have lines along their edges, and only the three faces that the camera may see. */
  isBox: boolean;
}

export function templateOf(geometry: BufferGeometry): Template {
  const array = (name: string): ArrayLike<number> => geometry.getAttribute(name).array;
  const position = array("position");
  const index = geometry.index?.array ?? Array.from({ length: position.length / 3 }, (_, i) => i);
  return { position, normal: array("normal"), uv: array("uv"), index, isBox: false };
}

/**
 * Return three faces of a box, those along positive x, y and z, scaled to side 1. Mirrored they are the other faces. The
 * picture is in the middle of each face, and square.
 */
export function boxTemplate(sides: number[]): Template {
  const position: number[] = [];
  const normal: number[] = [];
  const uv: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [wide, high] = [sides[(axis + 1) % 3], sides[(axis + 2) % 3]];
    const side = Math.min(wide, high);
    for (const [a, b] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
      const corner = [0, 0, 0];
      corner[axis] = 0.5;
      corner[(axis + 1) % 3] = a - 0.5;
      corner[(axis + 2) % 3] = b - 0.5;
      position.push(...corner);
      normal.push(...[0, 1, 2].map((each) => Number(each === axis)));
      uv.push(0.5 + ((a - 0.5) * wide) / side, 0.5 + ((b - 0.5) * high) / side);
    }
  }
  return { position, normal, uv, index: [0, 4, 8].flatMap((i) => [i, i + 1, i + 2, i, i + 2, i + 3]), isBox: true };
}

const FIELDS = { position: 3, color: 3, uv: 2, inside: 3 } as const;
type Field = keyof typeof FIELDS;

export class Solids {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly geometry = new BufferGeometry();
  private arrays: Record<Field, Float32Array>;
  private index: Uint32Array;
  private templates: Template[] = [];
  private bodies: number[] = [];
  private firstIndex: number[] = [];
  private count = 0;
  private corners = 0;
  private indices = 0;
  private isChanged = false;

  constructor(picture: Texture | null, readonly isTrigger: boolean) {
    const material = new MeshBasicMaterial({
      map: picture, vertexColors: true, transparent: isTrigger, opacity: isTrigger ? 0.35 : 1, depthWrite: !isTrigger,
      side: DoubleSide, forceSinglePass: true,
    });
    material.onBeforeCompile = drawEdges;
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    [this.arrays, this.index] = this.room(256, 512);
  }

  begin(): void {
    this.count = this.corners = this.indices = 0;
    this.isChanged = false;
  }

  /** Add a body's part: its place, its rotation, and the scale of the template; lit from where the sun is. */
  add(body: number, template: Template, x: number, y: number, z: number, m: Matrix | null, scale: number[], colour: number[], sun: Vector3): void {
    const { position, normal } = template;
    const corners = position.length / 3;
    if ((this.corners + corners) * 3 > this.arrays.position.length || this.indices + template.index.length > this.index.length) {
      [this.arrays, this.index] = this.room(2 * (this.corners + corners), 2 * (this.indices + template.index.length));
    }
    const n = this.count++;
    if (this.templates[n] !== template || this.firstIndex[n] !== this.indices) this.fillFixed(n, template);
    this.bodies[n] = body;
    const { position: to, color } = this.arrays;
    const [sx, sy, sz] = scale;
    const [nx, ny, nz] = [Math.sign(sx), Math.sign(sy), Math.sign(sz)];
    const [red, green, blue] = colour;
    // the direction of the sun as the part sees it
    const ux = nx * (m ? m[0] * sun.x + m[3] * sun.y + m[6] * sun.z : sun.x);
    const uy = ny * (m ? m[1] * sun.x + m[4] * sun.y + m[7] * sun.z : sun.y);
    const uz = nz * (m ? m[2] * sun.x + m[5] * sun.y + m[8] * sun.z : sun.z);
    for (let from = 0, at = 3 * this.corners; from < position.length; from += 3, at += 3) {
      const px = position[from] * sx;
      const py = position[from + 1] * sy;
      const pz = position[from + 2] * sz;
      to[at] = x + (m ? m[0] * px + m[1] * py + m[2] * pz : px);
      to[at + 1] = y + (m ? m[3] * px + m[4] * py + m[5] * pz : py);
      to[at + 2] = z + (m ? m[6] * px + m[7] * py + m[8] * pz : pz);
      const light = 0.62 + 0.44 * (normal[from] * ux + normal[from + 1] * uy + normal[from + 2] * uz);
      color[at] = red * light;
      color[at + 1] = green * light;
      color[at + 2] = blue * light;
    }
    this.corners += corners;
    this.indices += template.index.length;
  }

  end(): void {
    this.geometry.setDrawRange(0, this.indices);
    this.mesh.visible = this.count > 0;
    this.geometry.getAttribute("position").needsUpdate = true;
    this.geometry.getAttribute("color").needsUpdate = true;
    if (!this.isChanged) return;
    this.geometry.getAttribute("uv").needsUpdate = true;
    this.geometry.getAttribute("inside").needsUpdate = true;
    this.geometry.index!.needsUpdate = true;
  }

  /** Return the body of a face. */
  bodyOf(face: number): number {
    let n = this.count - 1;
    while (n > 0 && this.firstIndex[n] > 3 * face) n--;
    return this.bodies[n];
  }

  /** Write what does not change while bodies move: the picture, the edges, which corners make faces. */
  private fillFixed(n: number, template: Template): void {
    this.isChanged = true;
    this.templates[n] = template;
    this.firstIndex[n] = this.indices;
    this.arrays.uv.set(template.uv, 2 * this.corners);
    if (template.isBox) this.arrays.inside.set(template.position, 3 * this.corners);
    else this.arrays.inside.fill(0, 3 * this.corners, 3 * this.corners + template.position.length);
    for (let i = 0; i < template.index.length; i++) this.index[this.indices + i] = template.index[i] + this.corners;
  }

  /** Return larger arrays with what is in those of now. */
  private room(corners: number, indices: number): [Record<Field, Float32Array>, Uint32Array] {
    this.geometry.dispose();
    const arrays = {} as Record<Field, Float32Array>;
    for (const [name, size] of Object.entries(FIELDS) as [Field, number][]) {
      arrays[name] = new Float32Array(corners * size);
      if (this.arrays) arrays[name].set(this.arrays[name]);
      const attribute = new BufferAttribute(arrays[name], size);
      this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
    const index = new Uint32Array(indices);
    if (this.index) index.set(this.index);
    this.geometry.setIndex(new BufferAttribute(index, 1));
    return [arrays, index];
  }
}

/** Draw lines of constant width along the edges of boxes that are not too small for them. */
function drawEdges(shader: { vertexShader: string; fragmentShader: string }): void {
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nattribute vec3 inside;\nvarying vec3 vInside;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nvInside = inside;");
  // the distances from the faces: at an edge two of the three are 0, elsewhere on a face one is
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", "#include <common>\nvarying vec3 vInside;")
    .replace("#include <map_fragment>", `#include <map_fragment>
      vec3 pixels = 1.0 / max(fwidth(vInside), 1e-6);
      vec3 toFace = (0.5 - abs(vInside)) * pixels;
      float toEdge = max(min(toFace.x, toFace.y), min(max(toFace.x, toFace.y), toFace.z));
      float isLarge = smoothstep(5.0, 18.0, min(pixels.x, min(pixels.y, pixels.z)));
      diffuseColor.rgb *= 1.0 - 0.58 * isLarge * (1.0 - smoothstep(0.6, 1.6, toEdge));`);
}
