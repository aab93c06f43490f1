import {
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  type Material,
  Matrix4,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import {
  type Ball,
  ballOf,
  fieldOfView,
  type Orbit,
  orbitAxes,
  orbitDistance,
  toDisplay,
} from '#shared/domain/models/orbit.ts';
import type { ModelLook } from '../store.ts';
import { type BuiltScene, buildScene } from './build-scene.ts';
import type { Ground } from './orbit-moves.ts';
import type { LoadedModel } from './worker-messages.ts';

/** Points of an even cloud touch at this share of the space between them. */
const pointShare = 1.25;

/** Draws one model into a canvas, when it is asked to. Throws where there is no WebGL. */
export class ModelView {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera();
  /** Brings the model into a ball of radius 1, y up. */
  readonly #frame = new Group();
  readonly #model: LoadedModel;
  #built: BuiltScene | null = null;
  #grid: GridHelper | null = null;
  #look: ModelLook | null = null;
  #ball: Ball = { center: [0, 0, 0], radius: 1 };

  constructor(canvas: HTMLCanvasElement, model: LoadedModel) {
    const context = canvas.getContext('webgl2', { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!context) throw new Error('There is no WebGL 2.');
    this.#renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.#model = model;
    this.#camera.matrixAutoUpdate = false;
    const light = new DirectionalLight(0xffffff, 2.3);
    light.position.set(-0.42, 0.58, 0.7);
    light.target.position.set(0, 0, 0);
    this.#camera.add(light, light.target);
    this.#scene.add(this.#camera, new HemisphereLight(0xffffff, 0x9a9a9a, 1.15), this.#frame);
  }

  setLook(look: ModelLook): void {
    const before = this.#look;
    this.#look = look;
    const up = look.up === 'auto' ? this.#model.up : look.up;
    const upBefore = before && (before.up === 'auto' ? this.#model.up : before.up);
    const isNew = !before || upBefore !== up;
    if (isNew) this.#place(up);
    if (isNew || before.coloring !== look.coloring || before.surface !== look.surface) this.#build(look, up);
    for (const { material, count } of this.#built?.points ?? [])
      material.size = (look.pointSize / 3) * pointShare * 2 * Math.sqrt(2 / Math.max(1, count));
    if (this.#grid) this.#grid.visible = look.hasGrid;
  }

  #place(up: 'y' | 'z'): void {
    this.#ball = ballOf({ ...this.#model, up });
    const { center, radius } = this.#ball;
    const scale = 1 / radius;
    const turn = up === 'z' ? new Matrix4().makeRotationX(-Math.PI / 2) : new Matrix4();
    this.#frame.matrixAutoUpdate = false;
    this.#frame.matrix
      .makeScale(scale, scale, scale)
      .multiply(new Matrix4().makeTranslation(-center[0], -center[1], -center[2]))
      .multiply(turn);
    this.#frame.matrixWorldNeedsUpdate = true;
    this.#layGrid(up);
  }

  #layGrid(up: 'y' | 'z'): void {
    if (this.#grid) {
      this.#scene.remove(this.#grid);
      this.#grid.dispose();
    }
    const { bounds } = this.#model;
    const { center, radius } = this.#ball;
    const low = bounds ? Math.min(toDisplay(up, bounds.min)[1], toDisplay(up, bounds.max)[1]) : 0;
    const grid = new GridHelper(4, 16, 0x808080, 0x808080);
    Object.assign(grid.material as Material, { transparent: true, opacity: 0.4, depthWrite: false });
    grid.position.y = Math.max(-2, (low - center[1]) / radius) - 0.002;
    grid.visible = this.#look?.hasGrid ?? false;
    this.#grid = grid;
    this.#scene.add(grid);
  }

  #build(look: ModelLook, up: 'y' | 'z'): void {
    if (this.#built) {
      this.#frame.remove(this.#built.group);
      this.#built.dispose();
    }
    const axis = up === 'y' ? 1 : 2;
    const { bounds } = this.#model;
    this.#built = buildScene(this.#model, look, {
      axis,
      low: bounds?.min[axis] ?? 0,
      high: bounds?.max[axis] ?? 1,
    });
    this.#frame.add(this.#built.group);
  }

  resize({ width, height }: Ground): void {
    this.#renderer.setPixelRatio(Math.min(2, globalThis.devicePixelRatio || 1));
    this.#renderer.setSize(width, height, false);
    const aspect = Math.max(1, width) / Math.max(1, height);
    const half = Math.tan(fieldOfView / 2) / Math.min(1, aspect);
    this.#camera.fov = (2 * Math.atan(half) * 180) / Math.PI;
    this.#camera.aspect = aspect;
  }

  /** Draws; `share` of the points where a machine is too slow for all while they move. */
  draw(orbit: Orbit, share = 1): void {
    const { right, up, back } = orbitAxes(orbit);
    const distance = orbitDistance(orbit);
    const camera = this.#camera;
    const place = new Vector3(...back).multiplyScalar(distance).add(new Vector3(...orbit.target));
    camera.matrix
      .makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...back))
      .setPosition(place);
    camera.matrixWorldNeedsUpdate = true;
    camera.near = Math.max(0.0005, distance * 0.01);
    camera.far = distance + 200;
    camera.updateProjectionMatrix();
    for (const { geometry, count } of this.#built?.points ?? [])
      geometry.setDrawRange(0, Math.max(1, Math.ceil(count * share)));
    this.#renderer.render(this.#scene, camera);
  }

  dispose(): void {
    this.#built?.dispose();
    this.#grid?.dispose();
    this.#renderer.dispose();
  }
}
