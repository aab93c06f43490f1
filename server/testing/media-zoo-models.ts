import { Buffer } from 'node:buffer';
import type { Specimen } from './media-zoo.ts';
import {
  GltfWriter,
  type Mesh,
  stillLife,
  terrain,
  torus,
  writeObj,
  writePly,
  writeStl,
} from './model-files.ts';

const ring = () => torus({ around: 24, across: 12 });
const bad = (mesh: Mesh, change: (mesh: Mesh) => void): Mesh => {
  change(mesh);
  return mesh;
};

/** A scene of one triangle, changed before it is written. */
function scene(change: (json: GltfWriter['json']) => void = () => undefined): GltfWriter {
  const writer = new GltfWriter();
  const mesh: Mesh = {
    places: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    faces: [[0, 1, 2]],
  };
  writer.node({ mesh: writer.mesh({ mesh }) });
  change(writer.json);
  return writer;
}

const half = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length / 2);

const glb = (name: string, make: Specimen['make'], shows: Specimen['shows']): Specimen => ({
  name,
  contentType: 'model/gltf-binary',
  make,
  shows,
});
const ply = (name: string, make: Specimen['make'], shows: Specimen['shows'] = 'thumb'): Specimen => ({
  name,
  contentType: 'model/ply',
  make,
  shows,
});
const model = (
  name: string,
  type: string,
  make: Specimen['make'],
  shows: Specimen['shows'] = 'thumb',
): Specimen => ({
  name,
  contentType: `model/${type}`,
  make,
  shows,
});

const whole: Specimen[] = [
  ply('mesh, little endian', () => writePly(ring())),
  ply('mesh, big endian', () => writePly(ring(), { coding: 'binary_big_endian' })),
  ply('mesh, text', () => writePly(ring(), { coding: 'ascii' })),
  ply('cloud with colours', () => writePly(terrain(60))),
  ply('cloud far from the origin, in doubles', () =>
    writePly(terrain(60, [3_512_000, 5_804_000]), { type: 'double' }),
  ),
  ply('one point', () => writePly({ places: [[1, 2, 3]], faces: [] })),
  ply('some NaN', () =>
    writePly(bad(terrain(30), ({ places }) => places.splice(0, 9, ...Array(9).fill([Number.NaN, 0, 0])))),
  ),
  ply('and HTML', () =>
    Buffer.concat([
      Buffer.from('ply\nformat ascii 1.0\ncomment <script>window.top.pwned=1</script>\n'),
      Buffer.from(writePly(ring(), { coding: 'ascii' })).subarray(21),
    ]),
  ),
  glb('several nodes and materials', async () => (await stillLife()).glb(), 'thumb'),
  model('buffers embedded', 'gltf+json', async () => (await stillLife()).gltf()),
  model('binary', 'stl', () => writeStl(ring())),
  model('text', 'stl', () => writeStl(ring(), true)),
  model('polygons', 'obj', () => writeObj(ring())),
];

const broken: Specimen[] = [
  ply(
    'four billion points',
    () => writePly(terrain(9), { counts: { vertex: 4_294_967_295 } }),
    /ends after at most/,
  ),
  ply(
    'four billion faces',
    () => writePly(ring(), { counts: { face: 4_294_967_295 } }),
    /faces|ends after at most|names point/,
  ),
  ply(
    'text of four billion',
    () => writePly(terrain(9), { coding: 'ascii', counts: { vertex: 4_294_967_295 } }),
    /ends after at most/,
  ),
  ply('truncated', () => half(writePly(terrain(30))), /ends after at most/),
  ply('text, truncated', () => half(writePly(ring(), { coding: 'ascii' })), /ends/),
  ply(
    'indices out of range',
    () => writePly(bad(ring(), ({ faces }) => faces.push([0, 1, 99_999]))),
    /names point 99999/,
  ),
  ply(
    'negative indices',
    () => writePly(bad(ring(), ({ faces }) => faces.push([0, 1, -7]))),
    /names point -7/,
  ),
  ply(
    'all NaN',
    () => writePly({ places: Array(9).fill([Number.NaN, Number.NaN, Number.NaN]), faces: [] }),
    /No point/,
  ),
  ply('header alone', () => Buffer.from('ply\nformat ascii 1.0\nelement vertex 3\n'), /within its header/),
  ply(
    'no properties',
    () =>
      Buffer.from(
        'ply\nformat ascii 1.0\nelement camera 4000000000\nelement vertex 1\nproperty float x\nend_header\n1\n',
      ),
    /no x, y and z/,
  ),
  ply(
    'list of four billion',
    () =>
      Buffer.from(
        `ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n4000000000 0 0 0\n`,
      ),
    /length that cannot be/,
  ),
  glb('truncated', async () => half((await stillLife()).glb()), /cut off/),
  glb(
    'nodes in a circle',
    () =>
      scene(({ nodes, scenes }) => {
        nodes!.splice(0, 1, { children: [1] }, { children: [0], mesh: 0 });
        scenes!.splice(0, 1, { nodes: [0] });
      }).glb(),
    /no tree/,
  ),
  glb(
    'a million children of one',
    () => scene(({ nodes }) => nodes!.splice(0, 1, { mesh: 0, children: Array(1_000_000).fill(0) })).glb(),
    /no tree/,
  ),
  glb(
    'accessor beyond its bytes',
    () => scene(({ accessors }) => Object.assign(accessors![0]!, { count: 2_000_000 })).glb(),
    /beyond the end/,
  ),
  glb(
    'accessor of four billion without bytes',
    () =>
      scene(({ accessors }) =>
        Object.assign(accessors![0]!, { count: 4_000_000_000, bufferView: undefined }),
      ).glb(),
    /elements|without bytes/,
  ),
  glb(
    'view beyond its buffer',
    () => scene(({ bufferViews }) => Object.assign(bufferViews![0]!, { byteLength: 1e9 })).glb(),
    /beyond the end/,
  ),
  glb(
    'accessors over each other',
    () => scene(({ bufferViews }) => Object.assign(bufferViews![1]!, { byteOffset: 0 })).glb(),
    'thumb',
  ),
  glb(
    'indices out of range',
    () => {
      const writer = scene();
      writer.json.accessors!.splice(1, 1);
      writer.accessor([0, 1, 77], { width: 1, isIndex: true });
      return writer.glb();
    },
    /names vertex 77/,
  ),
  glb(
    'compressed by Draco',
    () =>
      scene(({ meshes }) =>
        Object.assign((meshes![0] as { primitives: object[] }).primitives[0]!, {
          extensions: { KHR_draco_mesh_compression: { bufferView: 0 } },
        }),
      ).glb(),
    /KHR_draco_mesh_compression/,
  ),
  glb('empty scene', () => new GltfWriter().glb(), /no node has a mesh/),
  glb(
    'version 1',
    () => {
      const bytes = Buffer.from(scene().glb());
      bytes.writeUInt32LE(1, 4);
      return bytes;
    },
    /version 1/,
  ),
  model(
    'buffers in other files',
    'gltf+json',
    () => scene().gltf('http://127.0.0.1:9/chair.bin'),
    /never fetched: http:\/\/127\.0\.0\.1:9\/chair\.bin/,
  ),
  model('cut off', 'gltf+json', () => half(scene().gltf()), /no whole JSON/),
  model('truncated', 'stl', () => half(writeStl(torus({ around: 40, across: 30 }))), /file ends after/),
  model(
    'indices out of range',
    'obj',
    () => Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n'),
    /names point 9/,
  ),
];

/** Point clouds and meshes, real and broken, made in code. */
export const modelZoo: readonly Specimen[] = [...whole, ...broken];
