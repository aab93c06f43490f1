import { useMemo, useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Annotation, Size } from '#shared/domain/annotations/shape.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Badge, Segmented } from '../../../ui/index.ts';
import type { GridColumn, MediaAddress } from '../../grid/index.ts';
import { AnnotationLayer, type AnnotationSet } from '../../media/index.ts';
import {
  type AnnotationChange,
  cellsOf,
  describeAnnotationChange,
  planAnnotationChanges,
} from '../model/annotation-change.ts';
import type { Row } from '../model/change.ts';
import { wholePicture, type Zoom } from '../model/pixels.ts';
import styles from './annotation-diff.module.css';
import frames from './picture-diff.module.css';
import { Frame, pictureStyle, zoomStyle } from './picture-frame.tsx';

export interface AnnotationDiffProps {
  label: string;
  layout: AnnotationLayout;
  columns: readonly GridColumn[];
  before: Row | null;
  after: Row | null;
  /** The picture that they are drawn on. */
  media: MediaAddress;
}

type Shown = 'both' | 'old' | 'new';

const choices: { value: Shown; label: string }[] = [
  { value: 'both', label: 'Both' },
  { value: 'old', label: 'Old' },
  { value: 'new', label: 'New' },
];

const listedSame = 0;

/** Boxes, masks and points old over new on the picture of their row, with what became of each. */
export function AnnotationDiff({ label, layout, columns, before, after, media }: AnnotationDiffProps) {
  const [size, setSize] = useState<Size | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [shown, setShown] = useState<Shown>('both');
  const [zoom, setZoom] = useState<Zoom>(wholePicture);
  const [current, setCurrent] = useState<{ set: string; index: number } | null>(null);
  const changes = useMemo(
    () =>
      planAnnotationChanges({
        layout,
        before: cellsOf(before, columns),
        after: cellsOf(after, columns),
        size: size ?? { width: 1, height: 1 },
      }),
    [layout, before, after, columns, size],
  );
  const listed = changes.filter(({ state }) => state !== 'same');
  const same = changes.length - listed.length;
  const ratio = size ? size.width / size.height : 1;
  return (
    <div className={styles.diff}>
      <div className={styles.stage}>
        <Segmented label={`Which ${label} are drawn`} value={shown} options={choices} onChange={setShown} />
        <Frame label={`${label}, old over new`} zoom={zoom} onZoom={setZoom} hasWheel={false}>
          {isBroken ? (
            <span className={frames.broken}>the picture cannot be shown</span>
          ) : (
            <span className={frames.layer}>
              <span
                className={styles.sheet}
                style={size ? { ...pictureStyle(ratio), ...zoomStyle(zoom) } : { opacity: 0 }}
              >
                <img
                  src={media.blob}
                  alt=""
                  draggable={false}
                  className={styles.picture}
                  onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                    setSize({ width: naturalWidth || 1, height: naturalHeight || 1 })
                  }
                  onError={() => setBroken(true)}
                />
                {size && (
                  <AnnotationLayer
                    sets={planSides(changes, { layout, shown })}
                    size={size}
                    tones={tones}
                    selected={current}
                    label={`${label} on the picture: ${formatOf(listed.length, 'change')}`}
                  />
                )}
              </span>
            </span>
          )}
        </Frame>
      </div>
      <ul className={styles.list} aria-label={`What became of ${label}`}>
        {listed.map((change) => (
          <li
            key={change.id}
            className={styles.line}
            onPointerEnter={() => setCurrent(placeIn(change, shown))}
            onPointerLeave={() => setCurrent(null)}
          >
            <Badge tone={change.state === 'same' ? undefined : change.state} hasSign>
              {change.after?.label ?? change.before?.label ?? `nr. ${placeOf(change) + 1}`}
            </Badge>
            <span className={styles.what}>{describeAnnotationChange(change)}</span>
          </li>
        ))}
        {same > listedSame && <li className={styles.what}>{formatOf(same, 'other')} as before</li>}
      </ul>
    </div>
  );
}

const tones = { old: 'removed', new: 'added', same: 'same' } as const;

/** Where a change is drawn: among the new ones, or the old where it is gone or only those are shown. */
const placeIn = ({ before, after }: AnnotationChange, shown: Shown) =>
  after && shown !== 'old'
    ? { set: 'new', index: after.index }
    : before && shown !== 'new'
      ? { set: 'old', index: before.index }
      : null;

/** What is as before, old and new as sets of their own; the newest lies on top. */
function planSides(
  changes: readonly AnnotationChange[],
  { layout, shown }: { layout: AnnotationLayout; shown: Shown },
): AnnotationSet[] {
  const changed = changes.filter(({ state }) => state !== 'same');
  const set = (name: string, annotations: (Annotation | null)[]): AnnotationSet => ({
    name,
    layout,
    faulty: 0,
    annotations: annotations.filter((one) => one !== null),
  });
  return [
    set(
      'same',
      changes.map(({ state, after }) => (state === 'same' ? after : null)),
    ),
    set('old', shown === 'new' ? [] : changed.map(({ before }) => before)),
    set('new', shown === 'old' ? [] : changed.map(({ after }) => after)),
  ];
}

const placeOf = ({ before, after }: AnnotationChange): number => after?.index ?? before?.index ?? 0;
