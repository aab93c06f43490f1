import { ChevronRight, Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, cx, ErrorNote, Select, Skeleton, Spacer } from '../../../ui/index.ts';
import {
  formatValue,
  type GridColumn,
  type GridRow,
  MediaThumb,
  mediaOfTable,
  nameColumnOf,
  readBlobCell,
} from '../../grid/index.ts';
import { useSimilarRows } from '../queries.ts';
import styles from './inspector.module.css';

export interface SimilarRowsProps {
  table: string;
  pinnedRef: string;
  rowId: string;
  vectors: readonly GridColumn[];
  columns: readonly GridColumn[];
  onGo: (rowId: string) => void;
  onShowAll: (rowId: string, column: string) => void;
}

const openKey = 'curio.similar.open';
const settleMs = 250;

/** The nearest rows by a vector column, to go to. */
export function SimilarRows({
  table,
  pinnedRef,
  rowId,
  vectors,
  columns,
  onGo,
  onShowAll,
}: SimilarRowsProps) {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(openKey) !== 'no');
  const [chosen, setChosen] = useState(vectors[0]?.name ?? '');
  const vector = vectors.some((column) => column.name === chosen) ? chosen : (vectors[0]?.name ?? '');
  const settledId = useSettled(rowId);
  const picture = columns.find((column) => column.kind === 'media' && !column.isHidden);
  const name = nameColumnOf(columns);
  const wanted = [picture?.name, name?.name].filter((one) => one !== undefined);
  const similar = useSimilarRows({
    table,
    ref: pinnedRef,
    rowId: settledId,
    column: vector,
    columns: wanted,
    isEnabled: isOpen,
  });
  const toggle = () => {
    localStorage.setItem(openKey, isOpen ? 'no' : 'yes');
    setOpen(!isOpen);
  };
  return (
    <section className={styles.similar} aria-label="Similar rows">
      <header className={styles.similarHead}>
        <button type="button" className={styles.similarTitle} aria-expanded={isOpen} onClick={toggle}>
          <ChevronRight size={14} className={cx(styles.turn, isOpen && styles.turned)} aria-hidden />
          Similar rows
        </button>
        {isOpen && vectors.length > 1 && (
          <Select
            label="By vector column"
            isQuiet
            value={vector}
            options={vectors.map((column) => ({ value: column.name, label: column.name }))}
            onChange={setChosen}
          />
        )}
        <Spacer />
        <Button size="s" look="quiet" icon={<Sparkles />} onClick={() => onShowAll(rowId, vector)}>
          Show all
        </Button>
      </header>
      {isOpen && (
        <>
          <ErrorNote
            error={similar.error}
            title="Similar rows cannot be found."
            onRetry={() => void similar.refetch()}
          />
          <ul className={cx(styles.similarList, similar.isPlaceholderData && styles.stale)}>
            {similar.isPending &&
              !similar.error &&
              ['a', 'b', 'c', 'd', 'e', 'f'].map((place) => <Skeleton key={place} height={72} />)}
            {similar.data?.rows.map((row) => (
              <li key={row.id}>
                <SimilarTile row={row} table={table} picture={picture} name={name} onGo={onGo} />
              </li>
            ))}
          </ul>
          {similar.data && similar.data.rows.length === 0 && (
            <p className={styles.faint}>No other row has a vector here.</p>
          )}
        </>
      )}
    </section>
  );
}

interface TileProps {
  row: GridRow;
  table: string;
  picture: GridColumn | undefined;
  name: GridColumn | undefined;
  onGo: (rowId: string) => void;
}

function SimilarTile({ row, table, picture, name, onGo }: TileProps) {
  const cell = picture ? readBlobCell(row.value(picture.name)) : null;
  const title = name ? formatValue(row.value(name.name), name.parsed) : `Row ${row.id}`;
  const distance = Number(row.value('_distance'));
  return (
    <button
      type="button"
      className={styles.tile}
      onClick={() => onGo(row.id)}
      title={`${title} · distance ${distance.toPrecision(3)}`}
    >
      {picture && cell && (
        <span className={styles.tilePicture}>
          <MediaThumb
            cell={cell}
            src={mediaOfTable(table)(row, picture.name)?.thumb(128) ?? null}
            heightPx={72}
            widthPx={120}
          />
        </span>
      )}
      <span className={styles.tileText}>{title}</span>
    </button>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
