import type { Vector3 } from '#shared/domain/models/model.ts';
import {
  fieldOfView,
  type Orbit,
  orbitAxes,
  orbitDistance,
  startOrbit,
} from '#shared/domain/models/orbit.ts';

const leastZoom = 0.1;
const mostZoom = 400;
const farthest = 4;
const halfTurn = Math.PI / 2;
const radiansPerPixel = 0.0075;

export interface Ground {
  width: number;
  height: number;
}

/** Radii of the model that a pixel is, where the camera looks at. */
const radiiPerPixel = (orbit: Orbit, { width, height }: Ground): number =>
  (2 * orbitDistance(orbit) * Math.tan(fieldOfView / 2)) / Math.max(1, Math.min(width, height));

/** Turns the model under the pointer by pixels of the screen. */
export const turnOrbit = (orbit: Orbit, { dx, dy }: { dx: number; dy: number }): Orbit => ({
  ...orbit,
  yaw: orbit.yaw - dx * radiansPerPixel,
  pitch: Math.max(-halfTurn, Math.min(halfTurn, orbit.pitch + dy * radiansPerPixel)),
});

/** Moves the model by pixels of the screen, in the plane that the camera looks at. */
export function panOrbit(orbit: Orbit, { dx, dy }: { dx: number; dy: number }, ground: Ground): Orbit {
  const { right, up } = orbitAxes(orbit);
  const scale = radiiPerPixel(orbit, ground);
  const target = orbit.target.map((at, axis) =>
    Math.max(-farthest, Math.min(farthest, at + (-right[axis]! * dx + up[axis]! * dy) * scale)),
  ) as Vector3;
  return { ...orbit, target };
}

/** Zooms; what lies under `at` (pixels from the middle of the ground) stays there. */
export function zoomOrbit(
  orbit: Orbit,
  factor: number,
  place?: { at: { x: number; y: number }; ground: Ground },
): Orbit {
  const zoom = Math.max(leastZoom, Math.min(mostZoom, orbit.zoom * factor));
  const zoomed = { ...orbit, zoom };
  if (!place) return zoomed;
  const share = 1 - orbit.zoom / zoom;
  return { ...panOrbit(orbit, { dx: -place.at.x * share, dy: -place.at.y * share }, place.ground), zoom };
}

/** The whole model, from where it is looked at now. */
export const fitOrbit = (orbit: Orbit): Orbit => ({ ...orbit, zoom: 1, target: startOrbit.target });

export const axisNames = ['front', 'back', 'left', 'right', 'top', 'bottom'] as const;
export type AxisName = (typeof axisNames)[number];

const axes: Record<AxisName, Pick<Orbit, 'yaw' | 'pitch'>> = {
  front: { yaw: 0, pitch: 0 },
  back: { yaw: Math.PI, pitch: 0 },
  left: { yaw: -halfTurn, pitch: 0 },
  right: { yaw: halfTurn, pitch: 0 },
  top: { yaw: 0, pitch: halfTurn },
  bottom: { yaw: 0, pitch: -halfTurn },
};

/** The whole model along an axis. */
export const axisOrbit = (name: AxisName): Orbit => ({ ...startOrbit, ...axes[name], zoom: 1 });
