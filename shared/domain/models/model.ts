import { AppError } from '../../api/problem.ts';

export type Vector3 = [x: number, y: number, z: number];

/** What is drawn at once: points or triangles with one material. All places are relative to the model's `origin`. */
export interface ModelPart {
  kind: 'points' | 'triangles';
  /** x, y, z of each vertex. */
  positions: Float32Array;
  normals: Float32Array | null;
  /** Red, green, blue, alpha of each vertex, in sRGB. */
  colors: Uint8Array | null;
  uvs: Float32Array | null;
  /** Three vertices a triangle; null where the vertices themselves are in that order. */
  indices: Uint32Array | null;
  /** Place in the model's materials. */
  material: number | null;
}

export interface ModelMaterial {
  /** Linear red, green, blue, alpha. */
  baseColor: [number, number, number, number];
  emissive: Vector3;
  metallic: number;
  roughness: number;
  alphaMode: 'opaque' | 'mask' | 'blend';
  alphaCutoff: number;
  isDoubleSided: boolean;
  isUnlit: boolean;
  /** Place in the model's images. */
  image: number | null;
  /** Along u and v. */
  wrap: [Wrap, Wrap];
}

export type Wrap = 'repeat' | 'mirror' | 'clamp';

/** A picture that lies in the file itself, coded. */
export interface ModelImage {
  bytes: Uint8Array;
  contentType: string;
}

export interface Bounds {
  min: Vector3;
  max: Vector3;
}

/** A point cloud or mesh, read into what can be drawn. */
export interface Model {
  /** Which axis points up. */
  up: 'y' | 'z';
  /** What was taken off every place, so that single precision holds the rest. */
  origin: Vector3;
  parts: ModelPart[];
  materials: ModelMaterial[];
  images: ModelImage[];
  /** Points or vertices of the file, and faces as the file has them. */
  counts: ModelCounts;
  /** What of it is in the parts. */
  shown: ModelCounts;
  /** Of all places that are finite, relative to the origin; null where none was read. */
  bounds: Bounds | null;
  /** For people, in their order. */
  facts: ModelFact[];
  /** What is not shown, and why: whole sentences. */
  notices: string[];
}

export interface ModelCounts {
  points: number;
  faces: number;
}

export interface ModelFact {
  name: string;
  value: string;
}

export interface ModelLimits {
  /** Of clouds, so many points are taken, evenly over the file. */
  maxPoints: number;
  /** Meshes with more are shown as the cloud of their vertices. */
  maxFaces: number;
}

/** Types of files that are read. */
export const modelTypes = [
  'model/ply',
  'model/gltf-binary',
  'model/gltf+json',
  'model/stl',
  'model/obj',
] as const;
export type ModelType = (typeof modelTypes)[number];

export const isModelType = (contentType: string | null): contentType is ModelType =>
  (modelTypes as readonly (string | null)[]).includes(contentType);

/** The file is not what it says: INVALID_FILE with what is wrong. */
export const brokenModel = (message: string): AppError =>
  new AppError({ code: 'INVALID_FILE', message, hint: 'Download it, or look at the row’s source.' });

/** The file may be right, but cannot be shown: UNSUPPORTED_MEDIA. */
export const unreadModel = (message: string, hint = 'Download it to look at it elsewhere.'): AppError =>
  new AppError({ code: 'UNSUPPORTED_MEDIA', message, hint });

/** A count with thin gaps between thousands. */
export const countText = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
