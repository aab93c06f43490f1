import { formatRef } from '#shared/domain/ref.ts';
import { cx } from '../../../ui/index.ts';
import type { LaneRow, Stroke } from '../model/plan-lanes.ts';
import styles from './lanes.module.css';

const widestPx = 208;
const padPx = 12;

/** Room between lanes: less where there are many. */
export const pitchOf = (lanes: number): number => Math.max(4, Math.min(16, widestPx / Math.max(1, lanes)));

export const laneWidth = (lanes: number): number => 2 * padPx + (lanes - 1) * pitchOf(lanes);

export interface LaneCellProps {
  row: LaneRow;
  lanes: number;
  heightPx: number;
  isMerge?: boolean;
  isShown?: boolean;
}

/** The lines of one row of the graph; what they mean stands in the row as words. */
export function LaneCell({ row, lanes, heightPx, isMerge, isShown }: LaneCellProps) {
  const pitch = pitchOf(lanes);
  const xOf = (lane: number): number => padPx + lane * pitch;
  const middle = heightPx / 2;
  const x = row.lane === null ? 0 : xOf(row.lane);
  return (
    <svg className={styles.lanes} width={laneWidth(lanes)} height={heightPx} aria-hidden="true">
      {row.strokes.map((stroke, at) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a row are drawn anew together
          key={at}
          stroke={stroke}
          x={x}
          xOf={xOf}
          middle={middle}
          heightPx={heightPx}
        />
      ))}
      {row.lane !== null && (
        <circle
          cx={x}
          cy={middle}
          r={isMerge || isShown ? 5 : 4}
          className={cx(styles.node, isMerge && styles.merge, isShown && styles.shown)}
        />
      )}
    </svg>
  );
}

interface LineProps {
  stroke: Stroke;
  x: number;
  xOf: (lane: number) => number;
  middle: number;
  heightPx: number;
}

function Line({ stroke, x, xOf, middle, heightPx }: LineProps) {
  switch (stroke.kind) {
    case 'through': {
      const at = xOf(stroke.lane);
      return <path className={styles.line} d={`M${at} 0V${heightPx}`} />;
    }
    case 'arrive': {
      const from = xOf(stroke.lane);
      const d =
        from === x
          ? `M${x} 0V${middle}`
          : `M${from} 0C${from} ${middle * 0.8} ${x} ${middle * 0.3} ${x} ${middle}`;
      return <path className={cx(styles.line, stroke.isMerge && styles.mergeLine)} d={d} />;
    }
    case 'leave': {
      const to = xOf(stroke.lane);
      const d =
        to === x
          ? `M${x} ${middle}V${heightPx}`
          : `M${x} ${middle}C${x} ${middle * 1.7} ${to} ${middle * 1.2} ${to} ${heightPx}`;
      return <path className={cx(styles.line, stroke.isMerge && styles.mergeLine)} d={d} />;
    }
    case 'cut':
    case 'cut-end': {
      const isDown = stroke.kind === 'cut';
      const end = isDown ? middle + 15 : middle - 15;
      const side = stroke.isMerge ? 6 : 0;
      return (
        <g className={styles.cut}>
          <title>{isDown ? `from ${formatRef(stroke.to)}` : `to ${formatRef(stroke.from)}`}</title>
          <path className={cx(styles.line, styles.cutLine)} d={`M${x} ${middle}L${x + side} ${end}`} />
        </g>
      );
    }
  }
}
