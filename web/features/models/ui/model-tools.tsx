import { Axis3d, Box, Grid3x3, Maximize, Minus, Plus } from 'lucide-react';
import type { Orbit } from '#shared/domain/models/orbit.ts';
import { Button, IconButton, Menu, Segmented, Select, Slider } from '../../../ui/index.ts';
import { axisNames, axisOrbit, fitOrbit, zoomOrbit } from '../model/orbit-moves.ts';
import type { ModelLook } from '../store.ts';
import styles from './models.module.css';

export interface ModelToolsProps {
  look: ModelLook;
  onLook: (patch: Partial<ModelLook>) => void;
  orbit: Orbit;
  onOrbit: (orbit: Orbit) => void;
  /** What there is to choose for: points have a size, faces can be wires. */
  has: { points: boolean; faces: boolean };
  /** Zoom stands elsewhere. */
  hasZoom?: boolean;
}

const title = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** How models are looked at: colours, points, wires, ground, grid, views along the axes. */
export function ModelTools({ look, onLook, orbit, onOrbit, has, hasZoom = true }: ModelToolsProps) {
  return (
    <div className={styles.tools} role="toolbar" aria-label="3D view">
      <Select
        label="Colour by"
        isQuiet
        value={look.coloring}
        options={[
          { value: 'own', label: 'Own colours' },
          { value: 'height', label: 'Height' },
          { value: 'single', label: 'One colour' },
        ]}
        onChange={(coloring) => onLook({ coloring })}
      />
      {has.faces && (
        <Segmented
          label="Surface"
          value={look.surface}
          options={[
            { value: 'shaded', label: 'Shaded', keys: 'w' },
            { value: 'edges', label: 'Edges', keys: 'w' },
            { value: 'wire', label: 'Wire', keys: 'w' },
          ]}
          onChange={(surface) => onLook({ surface })}
        />
      )}
      {has.points && (
        <span className={styles.size}>
          <span className={styles.sizeName}>Points</span>
          <Slider
            label="Point size"
            min={1}
            max={10}
            step={0.5}
            value={look.pointSize}
            onChange={(pointSize) => onLook({ pointSize })}
          />
        </span>
      )}
      <Segmented
        label="Background"
        value={look.ground}
        options={[
          { value: 'page', label: 'Page', keys: 'b' },
          { value: 'light', label: 'Light', keys: 'b' },
          { value: 'dark', label: 'Dark', keys: 'b' },
        ]}
        onChange={(ground) => onLook({ ground })}
      />
      <IconButton
        label="Axes and grid"
        keys="g"
        icon={<Grid3x3 />}
        isPressed={look.hasGrid}
        onClick={() => onLook({ hasGrid: !look.hasGrid })}
      />
      <Select
        label="Which axis is up"
        isQuiet
        value={look.up}
        options={[
          { value: 'auto', label: 'Up: by format' },
          { value: 'y', label: 'Up: y' },
          { value: 'z', label: 'Up: z' },
        ]}
        onChange={(up) => onLook({ up })}
      />
      <Menu
        label="Views"
        trigger={
          <Button size="s" look="quiet" icon={<Axis3d />}>
            Views
          </Button>
        }
        items={axisNames.map((name, at) => ({
          id: name,
          label: title(name),
          keys: String(at + 1),
          icon: <Box />,
          onSelect: () => onOrbit(axisOrbit(name)),
        }))}
      />
      {hasZoom && (
        <span className={styles.zoom}>
          <IconButton
            label="Zoom out"
            keys="-"
            icon={<Minus />}
            onClick={() => onOrbit(zoomOrbit(orbit, 1 / 1.25))}
          />
          <IconButton
            label="Zoom in"
            keys="+"
            icon={<Plus />}
            onClick={() => onOrbit(zoomOrbit(orbit, 1.25))}
          />
          <IconButton
            label="Whole model"
            keys="0"
            icon={<Maximize />}
            onClick={() => onOrbit(fitOrbit(orbit))}
          />
        </span>
      )}
    </div>
  );
}
