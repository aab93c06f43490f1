import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { ModelType } from '#shared/domain/models/model.ts';
import { type Mesh, stillLife, terrain, torus, writePly } from '../../../testing/model-files.ts';
import { makeModelThumb } from './model-thumb.ts';

const { signal } = new AbortController();

async function pixelsOf(bytes: Uint8Array, contentType: ModelType, size = 64) {
  const thumb = await makeModelThumb(bytes, { contentType, size }, signal);
  const { data, info } = await sharp(thumb.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    thumb,
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)],
    covered:
      data.filter((_value, index) => index % 4 === 3).filter((alpha) => alpha > 128).length /
      (data.length / 4),
  };
}

const squares = Array.from({ length: 64 * 64 }, (_none, at) => [at % 64, Math.floor(at / 64)] as const);

test('a mesh fills the picture, and its ground is clear', async () => {
  const { thumb, at, covered } = await pixelsOf(writePly(torus()), 'model/ply');
  expect({ width: thumb.width, height: thumb.height, corner: at(0, 0)[3] }).toEqual({
    width: 64,
    height: 64,
    corner: 0,
  });
  expect(covered).toBeGreaterThan(0.25);
});

test('what is nearer hides what is behind it, in whatever order they come', async () => {
  const red = [230, 20, 20];
  const blue = [20, 20, 230];
  const side = (x: number) => [
    [x, -1, -1],
    [x, 1, -1],
    [x, 1, 1],
    [x, -1, 1],
  ];
  const walls = (order: readonly (readonly [number, number[]])[]): Mesh => ({
    places: order.flatMap(([x]) => side(x)),
    colors: order.flatMap(([, color]) => [color, color, color, color]),
    faces: order.map((_one, index) => [0, 1, 2, 3].map((corner) => index * 4 + corner)),
  });
  const pictures = await Promise.all(
    [
      [[0.2, red] as const, [-0.2, blue] as const],
      [[-0.2, blue] as const, [0.2, red] as const],
    ].map((order) => pixelsOf(writePly(walls(order)), 'model/ply')),
  );
  const [reds, blues] = [0, 2].map((channel) =>
    pictures.map(
      ({ at }) => squares.filter(([x, y]) => at(x, y)[3] === 255 && at(x, y)[channel]! > 90).length,
    ),
  );
  expect(reds?.[0]).toBeGreaterThan(1.4 * blues![0]!);
  expect([reds?.[1], blues?.[1]]).toEqual([reds?.[0], blues?.[0]]);
});

test('a cloud looks closed and has its colours; one without has those of its heights', async () => {
  const colored = await pixelsOf(writePly(terrain(120)), 'model/ply');
  const bare = await pixelsOf(writePly({ ...terrain(120), colors: undefined }), 'model/ply');
  expect(colored.covered).toBeGreaterThan(0.2);
  expect(Math.abs(colored.covered - bare.covered)).toBeLessThan(0.02);
});

test('textures are laid on', async () => {
  const { at } = await pixelsOf((await stillLife()).glb(), 'model/gltf-binary', 128);
  const [r = 0, g = 0, b = 0, alpha] = at(50, 59);
  expect([r > g, g > b, alpha]).toEqual([true, true, 255]);
});
