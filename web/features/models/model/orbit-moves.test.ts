import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Orbit, orbitAxes, orbitDistance, startOrbit } from '#shared/domain/models/orbit.ts';
import { axisNames, axisOrbit, fitOrbit, panOrbit, turnOrbit, zoomOrbit } from './orbit-moves.ts';
import { spreadPoints } from './spread-points.ts';

const ground = { width: 900, height: 600 };
const orbits = fc.record({
  yaw: fc.double({ min: -3, max: 3, noNaN: true }),
  pitch: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  zoom: fc.double({ min: 0.5, max: 20, noNaN: true }),
  target: fc.constant([0, 0, 0] as [number, number, number]),
});

/** Where a place of the plane that is looked at is seen, in pixels from the middle. */
function seen(orbit: Orbit, place: readonly number[]): { x: number; y: number } {
  const { right, up } = orbitAxes(orbit);
  const scale = ground.height / 2 / Math.tan((18 * Math.PI) / 180) / orbitDistance(orbit);
  const off = place.map((at, axis) => at - orbit.target[axis]!);
  const along = (axis: readonly number[]) => axis.reduce((sum, value, at) => sum + value * off[at]!, 0);
  return { x: along(right) * scale, y: -along(up) * scale };
}

test('what is under the pointer stays there when it is zoomed', () => {
  fc.assert(
    fc.property(orbits, fc.double({ min: 0.7, max: 1.6, noNaN: true }), (orbit, factor) => {
      const { right, up } = orbitAxes(orbit);
      const place = right.map((value, axis) => 0.2 * value + 0.1 * up[axis]!);
      const at = seen(orbit, place);
      const after = seen(zoomOrbit(orbit, factor, { at, ground }), place);
      expect([after.x, after.y]).toEqual([expect.closeTo(at.x, 4), expect.closeTo(at.y, 4)]);
    }),
  );
});

test('a model follows the pointer that moves it', () => {
  const after = seen(panOrbit(startOrbit, { dx: 30, dy: -12 }, ground), [0, 0, 0]);
  expect([after.x, after.y]).toEqual([expect.closeTo(30, 6), expect.closeTo(-12, 6)]);
});

test('turning ends above and below; fitting keeps the direction', () => {
  const above = turnOrbit(startOrbit, { dx: 10, dy: 9999 });
  expect(above.pitch).toBe(Math.PI / 2);
  expect(fitOrbit({ ...above, zoom: 9, target: [1, 1, 1] })).toEqual({
    ...above,
    zoom: 1,
    target: [0, 0, 0],
  });
});

test('views along the axes look at six sides', () => {
  const backs = axisNames.map((name) =>
    orbitAxes(axisOrbit(name)).back.map((value) => Math.round(value) + 0),
  );
  expect(backs).toEqual([
    [0, 0, 1],
    [0, 0, -1],
    [-1, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
  ]);
});

test('spread points are the same points, and every beginning of them covers the cloud', () => {
  const count = 1000;
  const positions = Float32Array.from({ length: count * 3 }, (_none, at) => (at % 3 === 0 ? at / 3 : 0));
  const part = {
    kind: 'points' as const,
    positions,
    normals: null,
    colors: null,
    uvs: null,
    indices: null,
    material: null,
  };
  const order = [...spreadPoints(part).positions].filter((_value, at) => at % 3 === 0);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_none, at) => at));
  const first = order.slice(0, 20).sort((a, b) => a - b);
  const gaps = first.slice(1).map((at, index) => at - first[index]!);
  expect(Math.max(...gaps)).toBeLessThan(120);
});
