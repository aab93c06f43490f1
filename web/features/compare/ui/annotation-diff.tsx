import { useMemo, useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Annotation, Size } from '#shared/domain/annotations/shape.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Badge, cx, Segmented } from '../../../ui/index.ts';
import type { GridColumn, MediaAddress } from '../../grid/index.ts';
import {
  type AnnotationChange,
  cellsOf,
  describeAnnotationChange,
  planAnnotationChanges,
} from '../model/annotation-change.ts';
import type { Row } from '../model/change.ts';
import { wholePicture, type Zoom } from '../model/pixels.ts';
import { shapePath } from '../model/shape-path.ts';
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
  const [current, setCurrent] = useState<string | null>(null);
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
                  <svg
                    viewBox={`0 0 ${size.width} ${size.height}`}
                    className={styles.shapes}
                    role="img"
                    aria-label={`${label} on the picture: ${formatOf(listed.length, 'change')}`}
                  >
                    {[...changes].reverse().map((change) => (
                      <Drawn
                        key={change.id}
                        change={change}
                        shown={shown}
                        isCurrent={current === change.id}
                      />
                    ))}
                  </svg>
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
            onPointerEnter={() => setCurrent(change.id)}
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

const placeOf = ({ before, after }: AnnotationChange): number => after?.index ?? before?.index ?? 0;

function Drawn({ change, shown, isCurrent }: { change: AnnotationChange; shown: Shown; isCurrent: boolean }) {
  const { state, before, after } = change;
  if (state === 'same')
    return after && <Outline annotation={after} className={cx(styles.shape, styles.same)} />;
  return (
    <>
      {before && shown !== 'new' && (
        <Outline annotation={before} className={cx(styles.shape, styles.old, isCurrent && styles.current)} />
      )}
      {after && shown !== 'old' && (
        <Outline annotation={after} className={cx(styles.shape, styles.new, isCurrent && styles.current)} />
      )}
    </>
  );
}

const Outline = ({ annotation, className }: { annotation: Annotation; className: string }) => (
  <path d={annotation.shapes.map(shapePath).join('')} fillRule="evenodd" className={className} />
);
