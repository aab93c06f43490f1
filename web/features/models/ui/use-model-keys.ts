import type { Orbit } from '#shared/domain/models/orbit.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import { axisNames, axisOrbit, fitOrbit, panOrbit, turnOrbit, zoomOrbit } from '../model/orbit-moves.ts';
import { colorings, grounds, type ModelLook, surfaces } from '../store.ts';

export interface ModelKeys {
  look: ModelLook;
  onLook: (patch: Partial<ModelLook>) => void;
  orbit: Orbit;
  onOrbit: (orbit: Orbit) => void;
  has: { points: boolean; faces: boolean };
  /** Keys of zoom belong to whoever shows several models. */
  hasZoom?: boolean;
}

const turnPx = 22;
const panPx = 48;
const ground = { width: 800, height: 800 };

const next = <V>(values: readonly V[], value: V): V =>
  values[(values.indexOf(value) + 1) % values.length] as V;

/** The keys of 3D models, on the sheet of shortcuts while one is shown. */
export function useModelKeys({ look, onLook, orbit, onOrbit, has, hasZoom = true }: ModelKeys): void {
  const group = '3D model';
  const arrow = (key: string, dx: number, dy: number, name: string): Command[] => [
    {
      id: `model.turn${key}`,
      title: `Turn it ${name}`,
      group,
      keys: [`Arrow${key}`],
      isHidden: true,
      run: () => onOrbit(turnOrbit(orbit, { dx: dx * turnPx, dy: dy * turnPx })),
    },
    {
      id: `model.pan${key}`,
      title: `Move it ${name}`,
      group,
      keys: [`Shift+Arrow${key}`],
      isHidden: true,
      run: () => onOrbit(panOrbit(orbit, { dx: dx * panPx, dy: dy * panPx }, ground)),
    },
  ];
  const zoom: Command[] = [
    {
      id: 'model.zoomIn',
      title: 'Zoom in',
      group,
      keys: ['+', '='],
      run: () => onOrbit(zoomOrbit(orbit, 1.25)),
    },
    {
      id: 'model.zoomOut',
      title: 'Zoom out',
      group,
      keys: ['-'],
      run: () => onOrbit(zoomOrbit(orbit, 1 / 1.25)),
    },
    { id: 'model.fit', title: 'The whole model', group, keys: ['0'], run: () => onOrbit(fitOrbit(orbit)) },
  ];
  const noPoints = () => (has.points ? null : 'There are no points');
  const noFaces = () => (has.faces ? null : 'There are no faces');
  const sized = (by: number) => onLook({ pointSize: Math.max(1, Math.min(10, look.pointSize + by)) });
  useCommands([
    ...arrow('Left', -1, 0, 'to the left'),
    ...arrow('Right', 1, 0, 'to the right'),
    ...arrow('Up', 0, -1, 'up'),
    ...arrow('Down', 0, 1, 'down'),
    ...(hasZoom ? zoom : []),
    ...axisNames.map((name, at) => ({
      id: `model.${name}`,
      title: `See it from the ${name}`,
      group,
      keys: [String(at + 1)],
      run: () => onOrbit(axisOrbit(name)),
    })),
    {
      id: 'model.coloring',
      title: 'Colour by: own colours, height, one colour',
      group,
      keys: ['c'],
      run: () => onLook({ coloring: next(colorings, look.coloring) }),
    },
    {
      id: 'model.surface',
      title: 'Shaded, with edges, or wires',
      group,
      keys: ['w'],
      whyNot: noFaces,
      run: () => onLook({ surface: next(surfaces, look.surface) }),
    },
    {
      id: 'model.ground',
      title: 'Background: page, light, dark',
      group,
      keys: ['b'],
      run: () => onLook({ ground: next(grounds, look.ground) }),
    },
    {
      id: 'model.grid',
      title: 'Axes and grid',
      group,
      keys: ['g'],
      run: () => onLook({ hasGrid: !look.hasGrid }),
    },
    { id: 'model.larger', title: 'Larger points', group, keys: [']'], whyNot: noPoints, run: () => sized(1) },
    {
      id: 'model.smaller',
      title: 'Smaller points',
      group,
      keys: ['['],
      whyNot: noPoints,
      run: () => sized(-1),
    },
    {
      id: 'model.up',
      title: 'Up: by format, y, z',
      group,
      keys: ['u'],
      run: () => onLook({ up: next(['auto', 'y', 'z'] as const, look.up) }),
    },
  ]);
}
