import { Maximize, Minus, Plus, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { type Orbit, startOrbit } from '#shared/domain/models/orbit.ts';
import { useCommands } from '../../../state/commands.ts';
import { IconButton, Select, Skeleton, Spacer } from '../../../ui/index.ts';
import {
  formatValue,
  type GridColumn,
  type GridRow,
  type MediaAddress,
  type MediaOf,
  nameColumnOf,
  type RowSource,
  readBlobCell,
  useRow,
} from '../../grid/index.ts';
import { cellsOfRow, filterSets, layoutsFor, readSets } from '../model/annotation-sets.ts';
import { stageOf, viewableColumns } from '../model/viewable.ts';
import { seenBox, type View, wholeView } from '../model/viewport.ts';
import { useMediaFacts } from '../queries.ts';
import { useMediaLook } from '../store.ts';
import { AnnotationLayer } from './annotation-layer.tsx';
import { AudioStage } from './audio-stage.tsx';
import { FrameAnnotations } from './frame-annotations.tsx';
import { LazyModelFigure, LazyModelTools } from './lazy-models.tsx';
import { MediaProblem } from './media-problem.tsx';
import { PictureStage } from './picture-stage.tsx';
import { useAnnotationLayouts } from './row-annotations.tsx';
import { TextReader, ValueReader } from './text-reader.tsx';
import type { Player } from './use-player.ts';
import { VideoStage } from './video-stage.tsx';
import styles from './viewer.module.css';
import { toggleFullScreen, ViewerFrame } from './viewer-frame.tsx';

export interface SideBySideProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  source: RowSource;
  media: MediaOf;
  pinnedRef: string;
  /** Two to eight. */
  rowIds: readonly string[];
  onOpen: (rowId: string, column: string) => void;
  onClose: () => void;
}

/** Sides in so many columns. */
const acrossOf = (count: number): number => (count <= 3 ? count : count === 4 ? 2 : count <= 6 ? 3 : 4);

/** Rows beside each other, with one zoom for all pictures and one time for all videos and sounds. */
export function SideBySide(props: SideBySideProps) {
  const { columns, source, rowIds, onClose } = props;
  const [view, setView] = useState<View>(wholeView);
  const [chosen, setChosen] = useState<string | null>(null);
  const media = columns.filter(
    ({ kind, isHidden, role }) => kind === 'media' && !isHidden && role !== 'mask',
  );
  const others = columns.filter(
    ({ kind, isHidden }) => !isHidden && (kind === 'text' || kind === 'json' || kind === 'struct'),
  );
  const options = [...media, ...others];
  const column = options.find(({ name }) => name === chosen) ?? options[0];
  const sync = useSyncedPlayers();
  const [orbit, onOrbit] = useState<Orbit>(startOrbit);
  const [models, setModels] = useState<ModelsSeen>(noModels);
  const scale = (factor: number) => {
    setView((before) => ({ ...before, zoom: Math.max(0.2, Math.min(64, before.zoom * factor)) }));
    onOrbit((before) => ({ ...before, zoom: Math.max(0.1, Math.min(400, before.zoom * factor)) }));
  };
  const fit = () => {
    setView(wholeView);
    onOrbit((before) => ({ ...before, zoom: 1, target: startOrbit.target }));
  };
  const group = 'Side by side';
  useCommands([
    { id: 'beside.close', title: 'Close', group, keys: ['Escape'], run: onClose },
    { id: 'beside.zoomIn', title: 'Zoom in, all of them', group, keys: ['+', '='], run: () => scale(1.4) },
    { id: 'beside.zoomOut', title: 'Zoom out', group, keys: ['-'], run: () => scale(1 / 1.4) },
    { id: 'beside.fit', title: 'The whole pictures', group, keys: ['0'], run: fit },
    {
      id: 'beside.play',
      title: 'Play or pause all',
      group,
      keys: ['Space'],
      isHidden: true,
      run: sync.toggleAll,
    },
    { id: 'beside.fullScreen', title: 'Full screen', group, keys: ['f'], run: toggleFullScreen },
  ]);
  return (
    <ViewerFrame label="Side by side">
      <header className={styles.bar}>
        <h1 className={styles.title}>{rowIds.length} rows side by side</h1>
        {options.length > 1 && column && (
          <Select
            label="Column"
            isQuiet
            value={column.name}
            options={options.map(({ name }) => ({ value: name, label: name }))}
            onChange={setChosen}
          />
        )}
        <Spacer />
        <div className={styles.group}>
          <IconButton label="Zoom out" keys="-" icon={<Minus />} onClick={() => scale(1 / 1.4)} />
          <IconButton label="Zoom in" keys="+" icon={<Plus />} onClick={() => scale(1.4)} />
          <IconButton label="Whole pictures" keys="0" icon={<Maximize />} onClick={fit} />
        </div>
        <IconButton label="Close" keys="Escape" icon={<X />} onClick={onClose} />
      </header>
      {models.column === column?.name && models.has && (
        <LazyModelTools table={props.table} orbit={orbit} onOrbit={onOrbit} has={models.has} />
      )}
      <div
        className={styles.sides}
        style={{ gridTemplateColumns: `repeat(${acrossOf(rowIds.length)}, minmax(0, 1fr))` }}
      >
        {rowIds.map((rowId) => (
          <Side
            key={rowId}
            {...props}
            rowId={rowId}
            source={source}
            column={column}
            view={view}
            onView={setView}
            sync={sync}
            orbit={orbit}
            onOrbit={onOrbit}
            onModel={(has) => setModels((before) => seenIn(before, column?.name ?? '', has))}
          />
        ))}
      </div>
    </ViewerFrame>
  );
}

interface SideProps extends SideBySideProps {
  rowId: string;
  column: GridColumn | undefined;
  view: View;
  onView: (view: View) => void;
  sync: SyncedPlayers;
  orbit: Orbit;
  onOrbit: (orbit: Orbit) => void;
  onModel: (has: NonNullable<ModelsSeen['has']>) => void;
}

/** What the models of a column have between them. */
interface ModelsSeen {
  column: string;
  has: { points: boolean; faces: boolean } | null;
}

const noModels: ModelsSeen = { column: '', has: null };

const seenIn = (before: ModelsSeen, column: string, has: NonNullable<ModelsSeen['has']>): ModelsSeen => {
  const known = before.column === column ? before.has : null;
  return {
    column,
    has: { points: has.points || known?.points === true, faces: has.faces || known?.faces === true },
  };
};

function Side(props: SideProps) {
  const { table, columns, source, pinnedRef, rowId, column, media, onOpen } = props;
  const { row, error } = useRow({ table, ref: pinnedRef, rowId, source });
  const shown = row && (viewableColumns(row, columns).find(({ name }) => name === column?.name) ?? null);
  const title = nameColumnOf(columns);
  const value = row && title ? row.value(title.name) : null;
  return (
    <figure className={styles.side}>
      <div className={styles.sideStage}>
        {row ? (
          shown || column?.kind !== 'media' ? (
            <SideStage
              {...props}
              row={row}
              address={column?.kind === 'media' && column ? media(row, column.name) : null}
            />
          ) : (
            <div className={styles.middle}>
              <span className={styles.faint}>null</span>
            </div>
          )
        ) : (
          <div className={styles.middle}>
            {error ? <span className={styles.faint}>This row is not here.</span> : <Skeleton height={120} />}
          </div>
        )}
      </div>
      <figcaption className={styles.sideFoot}>
        <span>{value && title ? formatValue(value, title.parsed) : `Row ${rowId}`}</span>
        <IconButton
          label="Look at it alone"
          size="s"
          icon={<Maximize />}
          onClick={() => onOpen(rowId, column?.name ?? '')}
        />
      </figcaption>
    </figure>
  );
}

function SideStage({ row, address, ...props }: SideProps & { row: GridRow; address: MediaAddress | null }) {
  const { table, columns, detail, source, column, view, onView, sync, rowId } = props;
  const [look] = useMediaLook(table);
  const [seen, setSize] = useState<Size | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const name = column?.name ?? '';
  const isPicture = stageOf(row, column) === 'image';
  const told = useMediaFacts({ table, ref: row.ref ?? 'main', column: name, rowId }, isPicture).data;
  const size = useMemo(
    () => seen ?? (told?.width && told.height ? { width: told.width, height: told.height } : null),
    [seen, told?.width, told?.height],
  );
  const layouts = useAnnotationLayouts({ columns, detail, source, media: name });
  const cell = useMemo(() => cellsOfRow(row, columns), [row, columns]);
  const sets = useMemo(
    () =>
      size && look.hasAnnotations ? filterSets(readSets(cell, layoutsFor(layouts, name), size), look) : [],
    [cell, layouts, size, look, name],
  );
  if (failed) return <MediaProblem src={failed} />;
  if (!address || !column) {
    const value = cell(name);
    return typeof value === 'string' ? <TextReader text={value} /> : <ValueReader value={value} />;
  }
  const fail = () => setFailed(address.thumb(512));
  switch (stageOf(row, column)) {
    case 'image':
      return (
        <PictureStage
          address={address}
          name={name}
          blob={readBlobCell(row.value(name))}
          size={size}
          onSize={setSize}
          view={view}
          onView={onView}
          hasGrid
          onError={fail}
        >
          {({ placement, stage }) =>
            size && (
              <AnnotationLayer
                sets={sets}
                size={size}
                seen={seenBox(placement, stage)}
                scale={placement.scale}
                hasNames={look.hasNames}
              />
            )
          }
        </PictureStage>
      );
    case 'video':
      return (
        <VideoStage
          address={address}
          name={name}
          cells={[]}
          hasKeys={false}
          onSize={setSize}
          onError={fail}
          onPlayer={(player) => sync.note(rowId, player)}
          view={view}
          onView={onView}
        >
          {({ size: of, frame, placement, stage }) => (
            <FrameAnnotations
              src={address.blob}
              sets={sets}
              frame={frame}
              size={of}
              seen={seenBox(placement, stage)}
              scale={placement.scale}
              hasNames={look.hasNames}
            />
          )}
        </VideoStage>
      );
    case 'audio':
      return (
        <AudioStage
          address={address}
          name={name}
          sizeBytes={readBlobCell(row.value(name))?.sizeBytes ?? 0}
          cells={[]}
          hasKeys={false}
          onError={fail}
          onPlayer={(player) => sync.note(rowId, player)}
        />
      );
    case 'model':
      return (
        <LazyModelFigure
          table={table}
          address={address}
          name={name}
          orbit={props.orbit}
          onOrbit={props.onOrbit}
          onKnown={props.onModel}
        />
      );
    default:
      return (
        <div className={styles.middle}>
          <span className={styles.faint}>These bytes have no picture.</span>
        </div>
      );
  }
}

interface SyncedPlayers {
  note: (rowId: string, player: Player) => void;
  toggleAll: () => void;
}

/** While they play, how far apart they may be; a seek would be heard. */
const apartSeconds = 0.12;
const apartAtRest = 0.005;

/** One time for all players: what one of them does, the others do. */
function useSyncedPlayers(): SyncedPlayers {
  const players = useRef(new Map<string, Player>());
  const leader = useRef<string | null>(null);
  const was = useRef(new Map<string, { isPlaying: boolean; time: number; rate: number }>());
  useEffect(() => () => players.current.clear(), []);
  const note = (rowId: string, player: Player) => {
    players.current.set(rowId, player);
    const before = was.current.get(rowId);
    was.current.set(rowId, { isPlaying: player.isPlaying, time: player.time, rate: player.rate });
    if (!before) return;
    const others = [...players.current].filter(([id]) => id !== rowId).map(([, other]) => other);
    const hasJumped = Math.abs(player.time - before.time) > 0.3 * Math.max(1, player.rate);
    const hasTurned = player.isPlaying !== before.isPlaying || player.rate !== before.rate;
    if (leader.current !== null && leader.current !== rowId) return;
    if (!hasJumped && !hasTurned && player.isPlaying) return;
    if (!hasJumped && !hasTurned && player.time === before.time) return;
    leader.current = rowId;
    for (const other of others) {
      if (Math.abs(other.time - player.time) > (player.isPlaying ? apartSeconds : apartAtRest))
        other.seek(player.time);
      if (other.rate !== player.rate) other.setRate(player.rate);
      if (other.isPlaying !== player.isPlaying) other.toggle();
    }
    setTimeout(() => {
      leader.current = null;
    }, 250);
  };
  return { note, toggleAll: () => [...players.current.values()][0]?.toggle() };
}
