import { useQuery } from '@tanstack/react-query';
import { Network } from 'lucide-react';
import { useState } from 'react';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { addressOf, callArrow } from '../../../api/index.ts';
import { Button, cx, ErrorNote, Skeleton } from '../../../ui/index.ts';
import {
  formatValue,
  type GridColumn,
  MediaThumb,
  nameColumnOf,
  readBlobCell,
  thumbSizeFor,
} from '../../grid/index.ts';
import { type Neighbour, type NeighbourChange, planNeighbours } from '../model/neighbours.ts';
import { useScene } from './scene.ts';
import styles from './vector-neighbours.module.css';

export interface VectorNeighboursProps {
  column: GridColumn;
  before: ArrayLike<number>;
  after: ArrayLike<number>;
  /** The row itself, which is no neighbour of its own. */
  self: { before: string | null; after: string | null };
}

interface NearRow extends Neighbour {
  title: string;
  cell: ReturnType<typeof readBlobCell>;
  thumb: string | null;
}

const shown = 8;

/** The rows nearest to a vector before and after it changed; found when they are wanted. */
export function VectorNeighbours({ column, before, after, self }: VectorNeighboursProps) {
  const { summary } = useScene();
  const [isOpen, setOpen] = useState(false);
  const oldRef = summary.base ?? summary.into;
  const old = useNear({ column, ref: oldRef, vector: before, self: self.before, isEnabled: isOpen });
  const next = useNear({ column, ref: summary.from, vector: after, self: self.after, isEnabled: isOpen });
  if (!isOpen)
    return (
      <Button size="s" look="quiet" icon={<Network />} onClick={() => setOpen(true)}>
        Nearest rows before and after
      </Button>
    );
  const error = old.error ?? next.error;
  const plan = old.data && next.data ? planNeighbours(old.data.rows, next.data.rows) : null;
  return (
    <div className={styles.neighbours}>
      <ErrorNote
        error={error}
        title="The nearest rows cannot be found."
        onRetry={() => {
          void old.refetch();
          void next.refetch();
        }}
      />
      {!plan && !error && <Skeleton height={88} />}
      {plan && (
        <>
          <p className={styles.note}>
            {plan.kept} of the {plan.before.length} nearest rows stay near · {old.data?.scope}
          </p>
          <Strip label="Nearest before" sign="−" rows={plan.before} />
          <Strip label="Nearest after" sign="+" rows={plan.after} />
        </>
      )}
    </div>
  );
}

interface NearInput {
  column: GridColumn;
  ref: PinnedRef;
  vector: ArrayLike<number>;
  self: string | null;
  isEnabled: boolean;
}

function useNear({ column, ref, vector, self, isEnabled }: NearInput) {
  const { comparison, columns } = useScene();
  const { table } = comparison;
  const keys = columns.filter(({ role }) => role === 'key').map(({ name }) => name);
  const name = nameColumnOf(columns);
  const picture = columns.find(({ kind }) => kind === 'media');
  const refText = formatRef(ref);
  return useQuery({
    queryKey: [
      'near',
      table,
      refText,
      column.name,
      self,
      Array.from(vector.length > 4 ? [vector[0], vector[1], vector[2]] : vector),
    ],
    queryFn: async ({ signal }) => {
      const wanted = [...keys, name?.name, picture?.name].filter((one) => one !== undefined);
      const { table: rows, facts } = await callArrow('search', {
        params: { table },
        query: {},
        body: {
          ref: refText,
          mode: 'vector',
          vector: Array.from(vector, Number),
          column: column.name,
          columns: [...new Set(wanted)],
          k: shown + 1,
        },
        signal,
      });
      const cell = (at: number, of: string): unknown => rows.getChild(of)?.at(at) ?? null;
      const found = Array.from({ length: rows.numRows }, (_none, at): NearRow & { rowId: string } => {
        const rowId = String(cell(at, '_rowid'));
        const media = picture ? readBlobCell(cell(at, picture.name)) : null;
        return {
          rowId,
          id: keys.length > 0 ? JSON.stringify(keys.map((key) => String(cell(at, key)))) : rowId,
          distance: Number(cell(at, '_distance')),
          title: name ? formatValue(cell(at, name.name), name.parsed) : `Row ${rowId}`,
          cell: media,
          thumb:
            picture && media
              ? addressOf(
                  'thumb',
                  { table, column: picture.name, rowId },
                  { ref: refText, size: thumbSizeFor(96) },
                )
              : null,
        };
      });
      return {
        rows: found.filter(({ rowId }) => rowId !== self).slice(0, shown),
        scope: facts.isExact === false ? 'approximate, by the index' : 'exact',
      };
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

interface StripProps {
  label: string;
  sign: string;
  rows: readonly NeighbourChange<NearRow>[];
}

const Strip = ({ label, sign, rows }: StripProps) => (
  <section aria-label={label}>
    <p className={styles.label}>{label}</p>
    <ul className={styles.strip}>
      {rows.map(({ neighbour, state }) => (
        <li
          key={neighbour.id}
          className={cx(styles.tile, state !== 'same' && styles[state])}
          title={`${neighbour.title} · distance ${neighbour.distance.toPrecision(3)}`}
        >
          {neighbour.cell && (
            <span className={styles.picture}>
              <MediaThumb cell={neighbour.cell} src={neighbour.thumb} heightPx={56} widthPx={80} alt="" />
            </span>
          )}
          <span className={styles.title}>
            {state !== 'same' && <strong>{sign} </strong>}
            {neighbour.title}
          </span>
        </li>
      ))}
    </ul>
  </section>
);
