import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { blobKindOf, sniffBytes, sniffMediaType } from './media-type.ts';
import { GltfWriter, terrain, torus, writeObj, writePly, writeStl } from './testing/model-files.ts';

const head = (bytes: Uint8Array): string => sniffMediaType(bytes.subarray(0, sniffBytes));
const scene = (): GltfWriter => {
  const writer = new GltfWriter();
  writer.node({ mesh: writer.mesh({ mesh: torus() }) });
  return writer;
};

describe('models are known by their bytes', () => {
  test.each<[string, Uint8Array]>([
    ['model/ply', writePly(torus())],
    ['model/ply', writePly(terrain(40), { coding: 'ascii' })],
    [
      'model/ply',
      Buffer.from(
        Buffer.from(writePly(torus(), { coding: 'ascii' }))
          .toString()
          .replaceAll('\n', '\r\n'),
      ),
    ],
    ['model/gltf-binary', scene().glb()],
    ['model/gltf+json', scene().gltf()],
    ['model/stl', writeStl(torus())],
    ['model/stl', writeStl(torus(), true)],
    ['model/obj', writeObj(torus())],
  ])('%s', (type, bytes) => expect([head(bytes), blobKindOf(head(bytes))]).toEqual([type, 'model']));

  test.each<[string, Uint8Array]>([
    ['text/plain', Buffer.from('ply wood, and how it is made\n')],
    ['text/plain', Buffer.from('solid advice\nfor facets of life\n')],
    ['text/plain', Buffer.from('v 1 2 3\nv 2 3 4\nv 3 4 5\nand so on\nand on\n')],
    ['text/plain', Buffer.from('# v\nv for vendetta\n')],
    ['application/json', Buffer.from('{"asset": {"name": "chair", "version": "2"}, "price": 3}')],
    ['application/octet-stream', Buffer.alloc(300)],
    ['application/octet-stream', Buffer.from(Int32Array.from({ length: 600 }, (_none, at) => at % 9).buffer)],
    [
      'application/octet-stream',
      Buffer.from(Float32Array.from({ length: 600 }, (_none, at) => at / 7).buffer),
    ],
  ])('not so: %s', (type, bytes) => expect(head(bytes)).toBe(type));
});
