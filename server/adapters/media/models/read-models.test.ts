import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import type { Model, ModelType } from '#shared/domain/models/model.ts';
import { readModel, readModelHead } from '#shared/domain/models/read-model.ts';
import {
  GltfWriter,
  stillLife,
  terrain,
  torus,
  writeObj,
  writePly,
  writeStl,
} from '../../../testing/model-files.ts';

const limits = { maxPoints: 1e6, maxFaces: 1e6 };
const ring = torus({ around: 12, across: 8 });
const read = (bytes: Uint8Array, type: ModelType, own = limits) => readModel(bytes, type, own);
const size = ({ bounds }: Model) =>
  bounds?.max.map((to, axis) => Number((to - bounds.min[axis]!).toFixed(3)));

describe('PLY', () => {
  test.each(['ascii', 'binary_little_endian', 'binary_big_endian'] as const)(
    '%s is the same mesh',
    (coding) => {
      const model = read(writePly(ring, { coding }), 'model/ply');
      expect({ ...model.counts, size: size(model), triangles: model.parts[0]?.indices?.length }).toEqual({
        points: 96,
        faces: 96,
        size: [2.8, 2.8, 0.8],
        triangles: 576,
      });
      expect([...(model.parts[0]?.colors?.subarray(0, 4) ?? [])]).toEqual([230, 120, 210, 255]);
    },
  );

  test('places far from the origin keep what single precision would lose', () => {
    const cloud = {
      places: [
        [3_512_000.25, 5_804_000.5, 1],
        [3_512_000.5, 5_804_000.75, 2],
      ],
      faces: [],
    };
    const { origin, parts } = read(writePly(cloud, { type: 'double' }), 'model/ply');
    expect(origin).toEqual(cloud.places[0]);
    expect([...parts[0]!.positions]).toEqual([0, 0, 0, 0.25, 0.25, 1]);
  });

  test('of a large cloud points are taken evenly, and its extent is that of all', () => {
    const places = Array.from({ length: 10_000 }, (_none, at) => [at, 0, 0]);
    const model = read(writePly({ places, faces: [] }), 'model/ply', { ...limits, maxPoints: 100 });
    const taken = [...model.parts[0]!.positions].filter((_value, at) => at % 3 === 0);
    expect(taken).toEqual(Array.from({ length: 100 }, (_none, at) => at * 100));
    expect({ counts: model.counts, shown: model.shown, max: model.bounds?.max[0] }).toEqual({
      counts: { points: 10_000, faces: 0 },
      shown: { points: 100, faces: 0 },
      max: 9999,
    });
  });

  test('a mesh that is too fine is the cloud of its vertices, and says so', () => {
    const model = read(writePly(ring), 'model/ply', { ...limits, maxFaces: 10 });
    expect([model.parts[0]?.kind, model.shown, model.notices]).toEqual([
      'points',
      { points: 96, faces: 0 },
      [expect.stringMatching(/96 faces, more than the 10/)],
    ]);
  });

  test('points without a place are left out, and faces that touch them', () => {
    const places = [...ring.places];
    places[0] = [Number.NaN, 0, 0];
    const cloud = read(writePly({ places, faces: [] }), 'model/ply');
    const mesh = read(writePly({ places, faces: ring.faces }), 'model/ply');
    expect([cloud.shown.points, cloud.notices]).toEqual([
      95,
      [expect.stringMatching(/^1 points have no finite place/)],
    ]);
    expect(mesh.parts[0]?.indices?.includes(0)).toBe(false);
  });

  test('colours of Gaussians are those of their first coefficient', () => {
    const header = ['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2']
      .map((name) => `property float ${name}`)
      .join('\n');
    const text = `ply\nformat ascii 1.0\nelement vertex 1\n${header}\nend_header\n0 0 0 1.7725 0 -1.7725\n`;
    expect([...read(Buffer.from(text), 'model/ply').parts[0]!.colors!]).toEqual([255, 128, 0, 255]);
  });
});

test('STL, text and binary, and OBJ are the same ring', () => {
  const found = [
    read(writeStl(ring), 'model/stl'),
    read(writeStl(ring, true), 'model/stl'),
    read(writeObj(ring), 'model/obj'),
  ].map((model) => [model.shown.faces, size(model)]);
  expect(found).toEqual([
    [192, [2.8, 2.8, 0.8]],
    [192, [2.8, 2.8, 0.8]],
    [96, [2.8, 2.8, 0.8]],
  ]);
});

test('a polygon of OBJ that is longer than what is read of a line is not drawn in part', () => {
  const text = `v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${'1 2 3 '.repeat(20_000)}\n`;
  expect(() => read(Buffer.from(text), 'model/obj')).toThrow('Line 4 of the OBJ file is a polygon of more');
});

test('OBJ counts back from the last point, and its polygons are fans', () => {
  const text = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4/1/1 -3/2/1 -2//1 -1\n';
  expect([...read(Buffer.from(text), 'model/obj').parts[0]!.indices!]).toEqual([0, 1, 2, 0, 2, 3]);
});

describe('glTF', () => {
  test('nodes stand where the scene puts them, with materials and pictures of the file', async () => {
    const writer = await stillLife();
    for (const model of [read(writer.glb(), 'model/gltf-binary'), read(writer.gltf(), 'model/gltf+json')])
      expect({
        counts: model.counts,
        size: size(model),
        materials: model.materials.length,
        images: model.images.map(({ contentType }) => contentType),
        parts: model.parts.length,
      }).toEqual({
        counts: { points: 4140, faces: 8254 },
        size: [3.2, 2.45, 2],
        materials: 5,
        images: ['image/png'],
        parts: 5,
      });
  });

  test('mirrored nodes keep the front of their triangles', () => {
    const writer = new GltfWriter();
    const mesh = writer.mesh({
      mesh: {
        places: [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        faces: [[0, 1, 2]],
      },
    });
    writer.node({ mesh, scale: [-1, 1, 1] });
    const [part] = read(writer.glb(), 'model/gltf-binary').parts;
    expect([[...part!.indices!], [...part!.positions]]).toEqual([
      [0, 2, 1],
      [0, 0, 0, -1, 0, 0, 0, 1, 0],
    ]);
  });

  test('what lies in other files is named and left out', async () => {
    const writer = await stillLife();
    writer.json.images!.splice(0, 1, { uri: 'https://example.org/wood.png' });
    const model = read(writer.glb(), 'model/gltf-binary');
    expect([model.images, model.notices]).toEqual([
      [],
      ['Textures that are not shown: https://example.org/wood.png.'],
    ]);
  });
});

describe('the beginning alone', () => {
  test.each([
    ['model/ply', writePly(ring), ['vertices', '96']],
    ['model/stl', writeStl(ring), ['faces', '192']],
  ] as const)('of %s says the counts', (type, bytes, [name, value]) => {
    expect(readModelHead(bytes.subarray(0, 400), type)).toContainEqual({ name, value });
  });

  test('of a GLB says what its description does, without its bytes', async () => {
    const bytes = (await stillLife()).glb();
    const json = Buffer.from(bytes).readUInt32LE(12);
    expect(readModelHead(bytes.subarray(0, 20 + json), 'model/gltf-binary')).toContainEqual({
      name: 'nodes',
      value: '8',
    });
  });
});

describe('files of strangers', () => {
  const files: [ModelType, Uint8Array][] = [
    ['model/ply', writePly(torus({ around: 6, across: 4 }))],
    ['model/ply', writePly(torus({ around: 6, across: 4 }), { coding: 'ascii' })],
    ['model/ply', writePly(terrain(6), { type: 'double' })],
    ['model/stl', writeStl(torus({ around: 6, across: 4 }))],
    ['model/obj', writeObj(torus({ around: 6, across: 4 }))],
    ['model/gltf-binary', glbOf()],
    ['model/gltf+json', Buffer.from(JSON.stringify(JSON.parse(new TextDecoder().decode(gltfOf()))))],
  ];

  test.each(files)('%s, however damaged, is a model or a reason', (type, bytes) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 12 }),
        fc.option(fc.nat(bytes.length)),
        (changes, end) => {
          const damaged = Uint8Array.from(bytes);
          for (const [at, value] of changes) damaged[at] = value;
          try {
            const model = read(damaged.subarray(0, end ?? undefined), type);
            for (const { positions, indices } of model.parts)
              if (indices?.some((index) => index >= positions.length / 3))
                throw new Error('an index is out of range');
          } catch (error) {
            if (!isAppError(error)) throw error;
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

function gltfOf(): Uint8Array {
  const writer = new GltfWriter();
  writer.node({ mesh: writer.mesh({ mesh: torus({ around: 4, across: 3 }) }), translation: [1, 2, 3] });
  return writer.gltf();
}

function glbOf(): Uint8Array {
  const writer = new GltfWriter();
  writer.node({ mesh: writer.mesh({ mesh: torus({ around: 4, across: 3 }) }), rotation: [0, 0, 0, 1] });
  return writer.glb();
}
