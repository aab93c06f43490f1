import { type CSSProperties, memo, type ReactNode } from 'react';
import type { GeometryLayout } from '#shared/domain/annotations/layout.ts';
import { boundsOfAll } from '#shared/domain/annotations/measure.ts';
import {
  type Annotation,
  cornersOf,
  type Point,
  type Shape,
  type Size,
} from '#shared/domain/annotations/shape.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { nameOf, type PaintRules, paintOf } from '../model/annotation-paint.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { AnnotationCanvas } from './annotation-canvas.tsx';
import styles from './annotation-layer.module.css';
import { KeypointMarks } from './keypoint-marks.tsx';
import { MaskImage } from './mask-image.tsx';

/** One annotation of one set. */
export interface AnnotationId {
  set: string;
  index: number;
}

export interface AnnotationLayerProps extends PaintRules {
  sets: readonly AnnotationSet[];
  /** Of the picture that the annotations are in. */
  size: Size;
  /** The part of the picture that is seen; all of it without. */
  seen?: Point & Size;
  /** Pixels of the screen for one of the picture: names and points are drawn only where it is known. */
  scale?: number;
  hasNames?: boolean;
  selected?: AnnotationId | null;
  /** Replaces the shapes of an annotation while it is dragged. */
  live?: (AnnotationId & { shapes: readonly Shape[] }) | null;
  /** Masks that are pictures, as large as the picture. */
  pictures?: readonly { name: string; href: string }[];
  className?: string;
  label?: string;
  /** More in the same coordinates. */
  children?: ReactNode;
}

/** From here on a canvas draws them, all but the selected one and masks. */
const mostElements = 300;
const mostMasks = 300;

const pathOf = (points: readonly Point[]): string =>
  points.length === 0 ? '' : `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;

const hasMask = ({ shapes }: Annotation): boolean => shapes.some(({ kind }) => kind === 'mask');

const countOf = (sets: readonly AnnotationSet[]): number =>
  sets.reduce((sum, { annotations }) => sum + annotations.length, 0);

/** Masks that are not drawn because there are too many of them. */
export const hiddenMasks = (sets: readonly AnnotationSet[]): number =>
  Math.max(0, sets.reduce((sum, { annotations }) => sum + annotations.filter(hasMask).length, 0) - mostMasks);

/** Whether names are left away because so many would hide the picture. */
export const areNamesLeftAway = (sets: readonly AnnotationSet[]): boolean => countOf(sets) > mostElements;

/**
 * Annotations over a picture as SVG, or on a canvas where there are very many: crisp at any zoom. Without `seen` it lies
 * over a picture that is fitted into the same box (`object-fit: contain`), as thumbs and stages are.
 */
export function AnnotationLayer(props: AnnotationLayerProps) {
  const { sets, size, seen, scale, hasNames, tones, comparison, live, selected, className, label } = props;
  const box = seen ?? { x: 0, y: 0, width: size.width, height: size.height };
  const count = countOf(sets);
  const isMany = count > mostElements;
  const isChosen = (set: string, index: number) => selected?.set === set && selected.index === index;
  let masks = 0;
  const isElement = (set: string, one: Annotation) =>
    hasMask(one) ? masks++ < mostMasks : !isMany || isChosen(set, one.index);
  return (
    <>
      {isMany && (
        <AnnotationCanvas
          sets={sets}
          box={box}
          tones={tones}
          comparison={comparison}
          hasNames={(hasNames && scale !== undefined) ?? false}
          isElsewhere={isChosen}
        />
      )}
      <svg
        role="img"
        aria-label={label ?? formatOf(count, 'annotation')}
        className={cx(styles.layer, className)}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        preserveAspectRatio="xMidYMid meet"
      >
        {props.pictures
          ?.filter(({ href }) => href !== '')
          .map(({ name, href }) => (
            <image
              key={name}
              href={href}
              width={size.width}
              height={size.height}
              preserveAspectRatio="none"
              style={{ imageRendering: 'pixelated' }}
            />
          ))}
        {sets.map(({ name: set, layout, annotations }) => (
          <g key={set}>
            {annotations
              .filter((one) => isElement(set, one))
              .map((one) => {
                const { stroke, isDashed, sign } = paintOf(one, { set, tones, comparison });
                const isLive = live?.set === set && live.index === one.index;
                return (
                  <Drawn
                    key={one.index}
                    place={`${set}/${one.index}`}
                    shapes={isLive ? live.shapes : one.shapes}
                    stroke={stroke}
                    isDashed={isDashed}
                    isSelected={isChosen(set, one.index)}
                    keypoints={layout.geometry.find(({ kind }) => kind === 'keypoints')}
                    hasPointNames={hasNames ?? false}
                    name={hasNames ? nameOf(one, { sign, set, comparison }) : ''}
                    scale={
                      hasNames || one.shapes.some(({ kind }) => kind === 'keypoints') ? scale : undefined
                    }
                  />
                );
              })}
          </g>
        ))}
        {props.children}
      </svg>
    </>
  );
}

interface DrawnProps {
  place: string;
  shapes: readonly Shape[];
  stroke: string;
  isDashed: boolean;
  isSelected: boolean;
  keypoints: GeometryLayout | undefined;
  hasPointNames: boolean;
  name: string;
  scale: number | undefined;
}

/** One annotation; drawn anew only when it, its paint or the zoom changes, not when the picture is moved. */
const Drawn = memo(function Drawn(props: DrawnProps) {
  const { place, shapes, stroke, isDashed, isSelected, keypoints, name, scale } = props;
  const bounds = scale !== undefined && name !== '' ? boundsOfAll(shapes) : null;
  return (
    <g
      className={cx(styles.one, isSelected && styles.selected, isDashed && styles.dashed)}
      style={{ '--stroke': stroke } as CSSProperties}
      data-annotation={place}
    >
      {shapes.map((shape, at) => (
        <ShapeMark
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes of one annotation have their places only
          key={at}
          shape={shape}
          scale={shape.kind === 'keypoints' ? scale : undefined}
          keypoints={keypoints}
          hasPointNames={isSelected && props.hasPointNames}
          hasOutline={shapes.some(isOutline)}
        />
      ))}
      {bounds && scale !== undefined && <Name x={bounds.x} y={bounds.y} scale={scale} text={name} />}
    </g>
  );
});

const isOutline = ({ kind }: Shape): boolean => kind === 'polygon' || kind === 'mask';

const namePx = 11;

/** A name on a ground of the class’s colour, of one size whatever the zoom. */
function Name({ x, y, scale, text }: { x: number; y: number; scale: number; text: string }) {
  const unit = 1 / scale;
  const width = (text.length * namePx * 0.6 + 8) * unit;
  const height = (namePx + 5) * unit;
  return (
    <g className={styles.name} transform={`translate(${x} ${y - height})`}>
      <rect width={width} height={height} />
      <text x={4 * unit} y={height - 4.5 * unit} fontSize={namePx * unit}>
        {text}
      </text>
    </g>
  );
}

interface MarkProps extends Pick<DrawnProps, 'keypoints' | 'hasPointNames'> {
  shape: Shape;
  scale: number | undefined;
  hasOutline: boolean;
}

function ShapeMark({ shape, scale, hasOutline, keypoints, hasPointNames }: MarkProps) {
  switch (shape.kind) {
    case 'box':
    case 'rotated':
      return <Outline d={pathOf(cornersOf(shape))} isFaint={hasOutline} />;
    case 'polygon':
      return <Outline d={shape.rings.map(pathOf).join('')} isFilled />;
    case 'mask':
      return <MaskImage mask={shape} />;
    case 'keypoints':
      return <KeypointMarks shape={shape} layout={keypoints} scale={scale} hasNames={hasPointNames} />;
  }
}

/** A line of the class’s colour on a dark one, so that it is seen on every ground. */
function Outline({ d, isFilled, isFaint }: { d: string; isFilled?: boolean; isFaint?: boolean }) {
  return (
    <>
      {!isFaint && <path d={d} className={styles.halo} />}
      <path d={d} className={cx(styles.line, isFilled && styles.filled, isFaint && styles.faint)} />
    </>
  );
}
