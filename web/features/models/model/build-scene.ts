import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  MirroredRepeatWrapping,
  Points,
  PointsMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from 'three';
import { heightColor } from '#shared/domain/models/height-ramp.ts';
import type { ModelMaterial, ModelPart, Wrap } from '#shared/domain/models/model.ts';
import type { ModelLook } from '../store.ts';
import type { LoadedModel } from './worker-messages.ts';

const plainColor = 0xbababa;
const edgeColor = 0x1c1f24;
/** Environments, which would light metals, are left away: they would be black. */
const mostMetal = 0.35;

const wraps: Record<
  Wrap,
  typeof RepeatWrapping | typeof ClampToEdgeWrapping | typeof MirroredRepeatWrapping
> = {
  repeat: RepeatWrapping,
  clamp: ClampToEdgeWrapping,
  mirror: MirroredRepeatWrapping,
};

/** Colours of vertices are sRGB bytes; light is reckoned linearly. */
function readSrgbColors(material: Material): Material {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <color_vertex>',
      `#include <color_vertex>
      #if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
        vColor.rgb = mix( pow( ( vColor.rgb + 0.055 ) / 1.055, vec3( 2.4 ) ), vColor.rgb / 12.92, vec3( lessThanEqual( vColor.rgb, vec3( 0.04045 ) ) ) );
      #endif`,
    );
  };
  return material;
}

export interface BuiltScene {
  group: Group;
  points: { material: PointsMaterial; geometry: BufferGeometry; count: number }[];
  dispose(): void;
}

/** The heights of the model, along the axis that points up. */
export interface Heights {
  axis: 1 | 2;
  low: number;
  high: number;
}

/** Makes what WebGL draws of a model in its own coordinates, for one way to look at it. */
export function buildScene(model: LoadedModel, look: ModelLook, heights: Heights): BuiltScene {
  const group = new Group();
  const textures = new Map<number, Texture>();
  const disposables: { dispose(): void }[] = [];
  const points: BuiltScene['points'] = [];
  for (const part of model.parts) {
    const own = part.material === null ? null : (model.materials[part.material] ?? null);
    const colors =
      look.coloring === 'height' || isBareCloud(part, look)
        ? heightColors(part, heights)
        : look.coloring === 'own'
          ? part.colors
          : null;
    const geometry = geometryOf(part, colors);
    disposables.push(geometry);
    if (part.kind === 'points') {
      const material = new PointsMaterial({
        color: colors ? 0xffffff : plainColor,
        vertexColors: colors !== null,
        size: 0.01,
      });
      readSrgbColors(material);
      disposables.push(material);
      points.push({ material, geometry, count: part.positions.length / 3 });
      group.add(new Points(geometry, material));
      continue;
    }
    const texture = look.coloring === 'own' && own ? textureOf(own, model, textures) : null;
    const material = surfaceMaterial({
      part,
      own: look.coloring === 'own' ? own : null,
      hasColors: colors !== null,
      texture,
      isWire: look.surface === 'wire',
    });
    disposables.push(material);
    const mesh = new Mesh(geometry, material);
    if (own?.alphaMode === 'blend') mesh.renderOrder = 1;
    group.add(mesh);
    if (look.surface === 'edges') {
      const edges = new MeshBasicMaterial({
        color: edgeColor,
        wireframe: true,
        transparent: true,
        opacity: 0.35,
      });
      disposables.push(edges);
      group.add(new Mesh(geometry, edges));
    }
  }
  return {
    group,
    points,
    dispose() {
      for (const one of [...disposables, ...textures.values()]) one.dispose();
    },
  };
}

/** A cloud without colours is easier to read by its heights. */
const isBareCloud = (part: ModelPart, { coloring }: ModelLook): boolean =>
  part.kind === 'points' && part.colors === null && coloring === 'own';

function geometryOf(
  { positions, normals, uvs, indices }: ModelPart,
  colors: Uint8Array | null,
): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  if (normals) geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  if (uvs) geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  if (colors) geometry.setAttribute('color', new BufferAttribute(colors, 4, true));
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

function heightColors({ positions }: ModelPart, { axis, low, high }: Heights): Uint8Array {
  const colors = new Uint8Array((positions.length / 3) * 4);
  const tall = high - low || 1;
  for (let at = 0; at < positions.length / 3; at++) {
    const [r, g, b] = heightColor((positions[at * 3 + axis]! - low) / tall);
    colors[at * 4] = r;
    colors[at * 4 + 1] = g;
    colors[at * 4 + 2] = b;
    colors[at * 4 + 3] = 255;
  }
  return colors;
}

function textureOf(
  material: ModelMaterial,
  { images }: LoadedModel,
  known: Map<number, Texture>,
): Texture | null {
  const image = material.image === null ? null : images[material.image];
  if (!image || material.image === null) return null;
  const found = known.get(material.image);
  if (found) return found;
  const texture = new Texture(image);
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = false;
  [texture.wrapS, texture.wrapT] = [wraps[material.wrap[0]], wraps[material.wrap[1]]];
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  known.set(material.image, texture);
  return texture;
}

function surfaceMaterial({
  part,
  own,
  hasColors,
  texture,
  isWire,
}: {
  part: ModelPart;
  own: ModelMaterial | null;
  hasColors: boolean;
  texture: Texture | null;
  isWire: boolean;
}): Material {
  const common = { vertexColors: hasColors, side: DoubleSide, map: texture };
  const [r, g, b, opacity] = own?.baseColor ?? [1, 1, 1, 1];
  if (isWire) {
    const color = own ? new Color(r, g, b) : new Color(hasColors ? 0xffffff : plainColor);
    return readSrgbColors(new MeshBasicMaterial({ ...common, color, wireframe: true }));
  }
  if (!own)
    return readSrgbColors(
      new MeshLambertMaterial({
        ...common,
        color: hasColors ? 0xffffff : plainColor,
        flatShading: part.normals === null,
      }),
    );
  const look = {
    ...common,
    color: new Color(r, g, b),
    transparent: own.alphaMode === 'blend',
    depthWrite: own.alphaMode !== 'blend',
    opacity: own.alphaMode === 'blend' ? opacity : 1,
    alphaTest: own.alphaMode === 'mask' ? own.alphaCutoff : 0,
  };
  if (own.isUnlit) return readSrgbColors(new MeshBasicMaterial(look));
  return readSrgbColors(
    new MeshStandardMaterial({
      ...look,
      emissive: new Color(...own.emissive),
      metalness: Math.min(own.metallic, mostMetal),
      roughness: Math.max(0.25, own.roughness),
      flatShading: part.normals === null,
    }),
  );
}
