import { Buffer } from 'node:buffer';
import sharp from 'sharp';

/** Triangles with places, colours of the corners and faces, as the writers below take them. */
export interface Mesh {
  places: number[][];
  colors?: number[][];
  faces: number[][];
}

/** A ring about the z axis, of four-cornered faces. */
export function torus({ around = 48, across = 24, radius = 1, tube = 0.4 } = {}): Mesh {
  const places: number[][] = [];
  const colors: number[][] = [];
  const faces: number[][] = [];
  for (let ring = 0; ring < around; ring++)
    for (let at = 0; at < across; at++) {
      const [u, v] = [(ring / around) * 2 * Math.PI, (at / across) * 2 * Math.PI];
      const out = radius + tube * Math.cos(v);
      places.push([out * Math.cos(u), out * Math.sin(u), tube * Math.sin(v)]);
      colors.push([120 + 110 * Math.cos(u), 120 + 110 * Math.sin(u), 120 + 90 * Math.cos(v)].map(Math.round));
      const [next, up] = [((ring + 1) % around) * across, (at + 1) % across];
      faces.push([ring * across + at, next + at, next + up, ring * across + up]);
    }
  return { places, colors, faces };
}

/** Hills with a lake, seen from an aeroplane: `side` × `side` points in metres, far from the origin. */
export function terrain(side = 180, [east, north] = [0, 0]): Mesh {
  const places: number[][] = [];
  const colors: number[][] = [];
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const [x, y] = [column / side, row / side];
      const hills =
        Math.sin(x * 7) * Math.cos(y * 6) +
        0.4 * Math.sin(x * 23 + y * 17) +
        0.12 * Math.sin(x * 61 - y * 49);
      const height = Math.max(-0.55, hills);
      const isLake = height === -0.55;
      const isSnow = height > 0.85;
      places.push([east + x * 400, north + y * 400, 30 * height]);
      colors.push(
        isLake
          ? [46, 92, 138]
          : isSnow
            ? [232, 236, 240]
            : [86 + 60 * height, 118 + 34 * height, 62 + 20 * height].map(Math.round),
      );
    }
  return { places, colors, faces: [] };
}

export type PlyCoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

/** Writes a PLY file; `counts` says other numbers than there are. */
export function writePly(
  { places, colors, faces }: Mesh,
  {
    coding = 'binary_little_endian',
    type = 'float',
    counts,
  }: { coding?: PlyCoding; type?: 'float' | 'double'; counts?: { vertex?: number; face?: number } } = {},
): Uint8Array {
  const hasFaces = faces.length > 0 || counts?.face !== undefined;
  const header = [
    'ply',
    `format ${coding} 1.0`,
    'comment made by code',
    `element vertex ${counts?.vertex ?? places.length}`,
    ...['x', 'y', 'z'].map((name) => `property ${type} ${name}`),
    ...(colors ? ['red', 'green', 'blue'].map((name) => `property uchar ${name}`) : []),
    ...(hasFaces
      ? [`element face ${counts?.face ?? faces.length}`, 'property list uchar int vertex_indices']
      : []),
    'end_header\n',
  ].join('\n');
  if (coding === 'ascii') {
    const lines = [
      ...places.map((place, at) => [...place, ...(colors?.[at] ?? [])].join(' ')),
      ...faces.map((face) => [face.length, ...face].join(' ')),
    ];
    return Buffer.from(`${header}${lines.join('\n')}\n`);
  }
  const isLittle = coding === 'binary_little_endian';
  const width = type === 'float' ? 4 : 8;
  const body = Buffer.alloc(
    places.length * (3 * width + (colors ? 3 : 0)) +
      faces.reduce((sum, face) => sum + 1 + 4 * face.length, 0),
  );
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  let at = 0;
  for (const [index, place] of places.entries()) {
    for (const value of place) {
      if (type === 'float') view.setFloat32(at, value, isLittle);
      else view.setFloat64(at, value, isLittle);
      at += width;
    }
    for (const value of colors?.[index] ?? []) view.setUint8(at++, value);
  }
  for (const face of faces) {
    view.setUint8(at++, face.length);
    for (const index of face) {
      view.setInt32(at, index, isLittle);
      at += 4;
    }
  }
  return Buffer.concat([Buffer.from(header), body]);
}

const triangles = ({ faces }: Mesh): number[][] =>
  faces.flatMap((face) => face.slice(2).map((_corner, at) => [face[0]!, face[at + 1]!, face[at + 2]!]));

export function writeStl(mesh: Mesh, isText = false): Uint8Array {
  const corners = triangles(mesh).map((face) => face.map((index) => mesh.places[index]!));
  if (isText)
    return Buffer.from(
      `solid ring\n${corners.map((face) => `facet normal 0 0 0\nouter loop\n${face.map((place) => `vertex ${place.join(' ')}`).join('\n')}\nendloop\nendfacet`).join('\n')}\nendsolid ring\n`,
    );
  const bytes = Buffer.alloc(84 + corners.length * 50);
  bytes.write('solid but binary', 'latin1');
  bytes.writeUInt32LE(corners.length, 80);
  for (const [at, face] of corners.entries())
    for (const [corner, place] of face.entries())
      for (const [axis, value] of place.entries())
        bytes.writeFloatLE(value, 84 + at * 50 + 12 + corner * 12 + axis * 4);
  return bytes;
}

export const writeObj = ({ places, colors, faces }: Mesh): Uint8Array =>
  Buffer.from(
    [
      '# made by code',
      'mtllib ring.mtl',
      'o ring',
      ...places.map(
        (place, at) => `v ${[...place, ...(colors?.[at] ?? []).map((value) => value / 255)].join(' ')}`,
      ),
      ...faces.map((face) => `f ${face.map((index) => index + 1).join(' ')}`),
      '',
    ].join('\n'),
  );

/** A glTF scene under construction: what is added lands in one buffer. */
export class GltfWriter {
  readonly json: Record<string, unknown[]> & { asset: unknown; scene: number } = {
    asset: { version: '2.0', generator: 'made by code' },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: [],
    meshes: [],
    accessors: [],
    bufferViews: [],
    materials: [],
  } as never;
  #parts: Buffer[] = [];
  #length = 0;

  bytes(data: Uint8Array): number {
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    padded.set(data);
    this.#parts.push(padded);
    this.#length += padded.length;
    return this.#push('bufferViews', {
      buffer: 0,
      byteOffset: this.#length - padded.length,
      byteLength: data.length,
    });
  }

  accessor(values: number[], { width, isIndex = false }: { width: number; isIndex?: boolean }): number {
    const typed = isIndex ? Uint32Array.from(values) : Float32Array.from(values);
    return this.#push('accessors', {
      bufferView: this.bytes(new Uint8Array(typed.buffer)),
      componentType: isIndex ? 5125 : 5126,
      count: values.length / width,
      type: ['SCALAR', 'SCALAR', 'VEC2', 'VEC3', 'VEC4'][width],
    });
  }

  mesh({ mesh, material, uvs }: { mesh: Mesh; material?: number; uvs?: number[][] }): number {
    return this.#push('meshes', {
      primitives: [
        {
          attributes: {
            POSITION: this.accessor(mesh.places.flat(), { width: 3 }),
            ...(uvs ? { TEXCOORD_0: this.accessor(uvs.flat(), { width: 2 }) } : {}),
          },
          indices: this.accessor(triangles(mesh).flat(), { width: 1, isIndex: true }),
          ...(material === undefined ? {} : { material }),
        },
      ],
    });
  }

  node(node: object, isRoot = true): number {
    const index = this.#push('nodes', node);
    if (isRoot) (this.json.scenes as { nodes: number[] }[])[0]!.nodes.push(index);
    return index;
  }

  material(color: number[], more: object = {}): number {
    return this.#push('materials', {
      pbrMetallicRoughness: { baseColorFactor: color, metallicFactor: 0.1, roughnessFactor: 0.6, ...more },
    });
  }

  add(list: string, value: object): number {
    this.json[list] ??= [];
    return this.#push(list, value);
  }

  #push(list: string, value: object): number {
    return this.json[list]!.push(value) - 1;
  }

  glb(): Uint8Array {
    const chunk = Buffer.concat(this.#parts);
    const text = JSON.stringify({ ...this.json, buffers: [{ byteLength: chunk.length }] });
    const json = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4));
    const header = Buffer.alloc(20);
    header.write('glTF', 'latin1');
    header.writeUInt32LE(2, 4);
    header.writeUInt32LE(28 + json.length + chunk.length, 8);
    header.writeUInt32LE(json.length, 12);
    header.write('JSON', 16, 'latin1');
    const second = Buffer.alloc(8);
    second.writeUInt32LE(chunk.length, 0);
    second.write('BIN\0', 4, 'latin1');
    return Buffer.concat([header, json, second, chunk]);
  }

  gltf(uri?: string): Uint8Array {
    const chunk = Buffer.concat(this.#parts);
    const buffer = {
      byteLength: chunk.length,
      uri: uri ?? `data:application/octet-stream;base64,${chunk.toString('base64')}`,
    };
    return Buffer.from(JSON.stringify({ ...this.json, buffers: [buffer] }));
  }
}

const box: Mesh = {
  places: [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [x - 0.5, y - 0.5, z - 0.5]))),
  faces: [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ],
};

/** A table with rings on it: several nodes, turned and scaled, of plain, shining, see-through and textured materials. */
export async function stillLife(): Promise<GltfWriter> {
  const writer = new GltfWriter();
  const wood = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#b98a54' } })
    .composite(
      [0, 1, 2, 3].map((at) => ({
        input: { create: { width: 8, height: 64, channels: 3 as const, background: '#7d5530' } },
        left: at * 16,
        top: 0,
      })),
    )
    .png()
    .toBuffer();
  const image = writer.add('images', { bufferView: writer.bytes(wood), mimeType: 'image/png' });
  const texture = writer.add('textures', { source: image });
  const top = writer.material([1, 1, 1, 1], { baseColorTexture: { index: texture } });
  const plate: Mesh = {
    places: [
      [-1.6, 0, -1],
      [1.6, 0, -1],
      [1.6, 0, 1],
      [-1.6, 0, 1],
    ],
    faces: [[3, 2, 1, 0]],
  };
  const uvs = [
    [0, 0],
    [3, 0],
    [3, 2],
    [0, 2],
  ];
  const ring = torus({ around: 64, across: 32 });
  const red = writer.mesh({ mesh: ring, material: writer.material([0.72, 0.06, 0.05, 1]) });
  const gold = writer.mesh({
    mesh: ring,
    material: writer.material([1, 0.62, 0.15, 1], { metallicFactor: 0.9, roughnessFactor: 0.3 }),
  });
  const glass = writer.add('materials', {
    alphaMode: 'BLEND',
    pbrMetallicRoughness: { baseColorFactor: [0.1, 0.5, 0.9, 0.4], metallicFactor: 0, roughnessFactor: 0.1 },
  });
  const cube = writer.mesh({ mesh: box, material: glass });
  const leg = writer.mesh({ mesh: box, material: writer.material([0.16, 0.1, 0.06, 1]) });
  const lying = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  const things = [
    writer.node(
      { mesh: red, translation: [-0.85, 0.2, 0.1], rotation: lying, scale: [0.45, 0.45, 0.45] },
      false,
    ),
    writer.node({ mesh: gold, translation: [0.3, 0.62, -0.3], scale: [0.45, 0.45, 0.45] }, false),
    writer.node(
      {
        mesh: cube,
        translation: [1, 0.35, 0.35],
        rotation: [0, 0.3827, 0, 0.9239],
        scale: [0.66, 0.66, 0.66],
      },
      false,
    ),
  ];
  const legs = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) =>
      writer.node({ mesh: leg, translation: [x * 1.45, -0.6, z * 0.85], scale: [0.14, 1.2, 0.14] }, false),
    ),
  );
  writer.node({
    name: 'table',
    mesh: writer.mesh({ mesh: plate, material: top, uvs }),
    children: [...things, ...legs],
  });
  return writer;
}
