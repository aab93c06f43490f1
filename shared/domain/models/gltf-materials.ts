import { isAppError } from '../../api/problem.ts';
import type { GltfData } from './gltf-data.ts';
import {
  type GltfFile,
  indexOf,
  type Json,
  type JsonObject,
  numbersOf,
  objectOf,
  objectsOf,
  readDataUri,
} from './gltf-file.ts';
import type { ModelImage, ModelMaterial, Vector3, Wrap } from './model.ts';

/** How coordinates of a texture are moved before it is looked up (KHR_texture_transform). */
export interface UvTransform {
  offset: [number, number];
  rotation: number;
  scale: [number, number];
}

export interface ReadMaterial {
  material: ModelMaterial;
  /** Which of the mesh's sets of coordinates the texture takes. */
  uvSet: number;
  uvTransform: UvTransform | null;
}

export interface Materials {
  read: ReadMaterial[];
  images: ModelImage[];
  /** Pictures that lie in other files, or in a way that is not read. */
  left: string[];
}

const share = (value: Json | undefined, plain: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.min(1, value)) : plain;

function factor<T extends number[]>(value: Json | undefined, plain: T): T {
  const numbers = numbersOf(value);
  return plain.map((one, at) => share(numbers[at], one)) as T;
}

const wraps: Record<number, Wrap> = { 33071: 'clamp', 33648: 'mirror' };

/** Materials of a glTF file with the pictures that they need; pictures in other files are named, not fetched. */
export function readMaterials({ json }: GltfFile, data: GltfData): Materials {
  const images: ModelImage[] = [];
  const left: string[] = [];
  const known = new Map<number, number | null>();
  const textures = objectsOf(json.textures);
  const samplers = objectsOf(json.samplers);
  const sources = objectsOf(json.images);

  const imageOf = (texture: JsonObject): number | null => {
    const webp = objectOf(objectOf(texture.extensions).EXT_texture_webp).source;
    const source = indexOf(texture.source) ?? indexOf(webp);
    if (source === null) {
      if (texture.extensions)
        left.push(`a texture as ${Object.keys(objectOf(texture.extensions)).join(', ')}`);
      return null;
    }
    if (!known.has(source)) known.set(source, openImage(sources[source] ?? {}));
    return known.get(source) ?? null;
  };

  const openImage = (image: JsonObject): number | null => {
    const { uri, mimeType } = image;
    const view = indexOf(image.bufferView);
    try {
      const found =
        typeof uri === 'string'
          ? readDataUri(uri)
          : view !== null
            ? { bytes: data.view(view).bytes, contentType: typeof mimeType === 'string' ? mimeType : '' }
            : null;
      if (found) return images.push(found) - 1;
      left.push(typeof uri === 'string' ? uri.slice(0, 80) : 'a picture without bytes');
    } catch (error) {
      left.push(isAppError(error) ? 'a damaged picture' : 'a picture in another file');
    }
    return null;
  };

  const readOne = (source: JsonObject): ReadMaterial => {
    const extensions = objectOf(source.extensions);
    const glossy = objectOf(extensions.KHR_materials_pbrSpecularGlossiness);
    const isGlossy = extensions.KHR_materials_pbrSpecularGlossiness !== undefined;
    const rough = objectOf(source.pbrMetallicRoughness);
    const info = objectOf(isGlossy ? glossy.diffuseTexture : rough.baseColorTexture);
    const texture = textures[indexOf(info.index) ?? -1];
    const sampler = samplers[indexOf(texture?.sampler) ?? -1];
    const moved = objectOf(objectOf(info.extensions).KHR_texture_transform);
    const wrap = (value: Json | undefined): Wrap => wraps[Number(value)] ?? 'repeat';
    const alphaMode = String(source.alphaMode ?? 'OPAQUE').toLowerCase();
    return {
      material: {
        baseColor: factor(isGlossy ? glossy.diffuseFactor : rough.baseColorFactor, [1, 1, 1, 1]),
        emissive: factor<Vector3>(source.emissiveFactor, [0, 0, 0]),
        metallic: isGlossy ? 0 : share(rough.metallicFactor, 1),
        roughness: isGlossy ? 1 - share(glossy.glossinessFactor, 1) : share(rough.roughnessFactor, 1),
        alphaMode: alphaMode === 'blend' || alphaMode === 'mask' ? alphaMode : 'opaque',
        alphaCutoff: share(source.alphaCutoff, 0.5),
        isDoubleSided: source.doubleSided === true,
        isUnlit: extensions.KHR_materials_unlit !== undefined,
        image: texture ? imageOf(texture) : null,
        wrap: [wrap(sampler?.wrapS), wrap(sampler?.wrapT)],
      },
      uvSet: indexOf(moved.texCoord) ?? indexOf(info.texCoord) ?? 0,
      uvTransform: Object.keys(moved).length > 0 ? transformOf(moved) : null,
    };
  };
  return { read: objectsOf(json.materials).map(readOne), images, left };
}

function transformOf({ offset, rotation, scale }: JsonObject): UvTransform {
  const pair = (value: Json | undefined, plain: number): [number, number] => {
    const [x = plain, y = plain] = numbersOf(value);
    return Number.isFinite(x + y) ? [x, y] : [plain, plain];
  };
  return {
    offset: pair(offset, 0),
    rotation: typeof rotation === 'number' && Number.isFinite(rotation) ? rotation : 0,
    scale: pair(scale, 1),
  };
}

export function transformUvs(uvs: Float32Array, { offset, rotation, scale }: UvTransform): void {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  for (let at = 0; at < uvs.length; at += 2) {
    const [u, v] = [uvs[at]! * scale[0], uvs[at + 1]! * scale[1]];
    uvs[at] = cos * u + sin * v + offset[0];
    uvs[at + 1] = -sin * u + cos * v + offset[1];
  }
}
