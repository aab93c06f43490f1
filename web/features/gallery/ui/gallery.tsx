import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import {
  allSelected,
  countSelected,
  emptySelection,
  isSelected,
  type RowSelection,
  selectRows,
  toggleRow,
} from '../../../state/selection.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { EmptyState, ErrorNote, Note } from '../../../ui/index.ts';
import {
  type GridColumn,
  type GridLayout,
  type GridRow,
  type MediaOf,
  type RowGroup,
  type RowSource,
  useRowsState,
} from '../../grid/index.ts';
import { sizeColumnsOf } from '../model/aspects.ts';
import { pictureColumnsOf, plainCaptions } from '../model/captions.ts';
import { type BlockPlan, planBlocks, planGroupedBlocks } from '../model/plan-blocks.ts';
import { estimateBlockPx } from '../model/plan-justified.ts';
import { useGalleryLook } from '../store.ts';
import styles from './gallery.module.css';
import { GalleryBlock } from './gallery-block.tsx';
import { GalleryHead } from './gallery-head.tsx';
import { TileOverlayProvider } from './tile-overlay.tsx';
import { indexOf, neighbourTile, tileOf } from './tile-places.ts';
import { useBlockRows } from './use-block-rows.ts';
import { useGalleryKeys } from './use-gallery-keys.ts';

export interface GalleryProps {
  table: string;
  source: RowSource;
  columns: readonly GridColumn[];
  layout: GridLayout;
  media: MediaOf;
  selection: RowSelection;
  onSelect: (selection: RowSelection) => void;
  activeRow: number | null;
  onActiveRow: (row: GridRow | undefined, index: number) => void;
  onOpenRow: (row: GridRow) => void;
  /** Opens the viewer on a picture: Enter or a double click. */
  onViewRow?: (row: GridRow, column: string) => void;
  /** Says how columns of annotations are read. */
  detail?: TableDetail;
  initialRow?: number;
  onScroll?: (firstRow: number) => void;
  empty?: ReactNode;
  /** The way out where the table has no media. */
  noMedia?: ReactNode;
  errorActions?: ReactNode;
  /** The groups that the rows stand in, and what folds one. */
  group?: {
    column: GridColumn;
    heads: readonly (RowGroup & { isFolded: boolean })[];
    onFold: (head: RowGroup & { isFolded: boolean }) => void;
  };
}

const blockRows = 24;
const gapPx = 8;
const padPx = 16;
const linePx = 18;
const headPx = 36;
const mostPx = 30_000_000;

/** The pictures of the rows in justified lines: the same order, filter and selection as the grid. */
export function Gallery(props: GalleryProps) {
  const { table, source, columns, media, selection, onSelect, activeRow } = props;
  const state = useRowsState(source);
  const [look, setLook] = useGalleryLook(table);
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<number | null>(null);
  const activeId = useRef<string | null>(null);
  /** A row that was jumped to: it is kept in sight while the blocks take their heights, until one scrolls on. */
  const awaited = useRef<number | null>(null);
  const sweep = useRef<{ isOn: boolean } | null>(null);
  const [widthPx, setWidth] = useState(0);
  const total = state.total ?? 0;
  const pictures = pictureColumnsOf(columns);
  const picture = pictures.find((column) => column.name === look.column) ?? pictures[0];
  const captions = useMemo(
    () =>
      (look.captions ?? plainCaptions(columns)).flatMap(
        (name) => columns.find((column) => column.name === name) ?? [],
      ),
    [look.captions, columns],
  );
  const captionPx = captions.length === 0 ? 0 : captions.length * linePx + 4;
  const sizes = useMemo(() => sizeColumnsOf(columns), [columns]);
  const rowsOf = useBlockRows(source);
  const estimate = (count: number) =>
    estimateBlockPx({ count, widthPx, targetPx: look.heightPx, captionPx, gapPx });
  const mostBlocks = Math.floor(mostPx / estimate(blockRows));
  const { group } = props;
  const heads = group?.heads;
  const plan = useMemo(
    () =>
      heads
        ? planGroupedBlocks(heads, { blockRows, mostBlocks })
        : planBlocks({ total, blockRows, mostBlocks }),
    [heads, total, mostBlocks],
  );
  const shownRows = plan.end;
  const headOf = (index: number) => heads?.[plan.at(index).head ?? -1];

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(0, element.clientWidth - 2 * padPx)));
    observer.observe(element);
    setWidth(Math.max(0, element.clientWidth - 2 * padPx));
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.closest('nav'))
      scroller.current?.focus({ preventScroll: true });
  }, []);

  const virtualizer = useVirtualizer({
    count: plan.count,
    getScrollElement: () => scroller.current,
    estimateSize(index) {
      const { rows, head } = plan.at(index);
      return (rows === 0 ? 0 : estimate(rows)) + (head === null ? 0 : headPx);
    },
    overscan: 1,
    paddingStart: padPx,
    paddingEnd: padPx,
  });
  const { resize, resizeHeaded } = useMemo(
    () => ({
      resize: (block: number, px: number) => virtualizer.resizeItem(block, px),
      resizeHeaded: (block: number, px: number) => virtualizer.resizeItem(block, px + headPx),
    }),
    [virtualizer],
  );
  const layoutKey = `${widthPx}/${look.heightPx}/${captionPx}`;
  const [measures, setMeasures] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: all blocks are measured anew when the layout changes
  useEffect(() => {
    virtualizer.measure();
    setMeasures((count) => count + 1);
  }, [layoutKey, plan, virtualizer]);

  const items = virtualizer.getVirtualItems();
  const firstBlock = items[0]?.index ?? 0;
  const lastBlock = items.at(-1)?.index ?? 0;
  useEffect(() => showBlocks(source, plan, { firstBlock, lastBlock }), [source, plan, firstBlock, lastBlock]);
  const topBlock = virtualizer.range?.startIndex ?? 0;
  const { onScroll } = props;
  const tell = useRef(onScroll);
  tell.current = onScroll;
  useEffect(() => {
    tell.current?.(plan.at(topBlock).start);
  }, [topBlock, plan]);

  const startedKey = useRef<string | null>(null);
  useEffect(() => {
    const key = source.placeKey ?? '';
    if (startedKey.current === key || total === 0 || widthPx === 0) return;
    startedKey.current = key;
    anchor.current = null;
    virtualizer.scrollToIndex(plan.blockOf(props.initialRow ?? 0), { align: 'start' });
  }, [source, total, widthPx, props.initialRow, virtualizer, plan]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the place that is kept outside, and nothing else
  useEffect(() => {
    if (activeRow === null || tileOf(scroller.current, activeRow)) return;
    const offset = virtualizer.getOffsetForIndex(plan.blockOf(activeRow), 'start')?.[0];
    if (offset !== undefined) virtualizer.scrollToOffset(offset);
    awaited.current = activeRow;
  }, [activeRow]);
  useEffect(() => {
    const tile = awaited.current === null ? null : tileOf(scroller.current, awaited.current);
    tile?.scrollIntoView({ block: 'nearest' });
  });

  // A pinch on a touch pad comes as a wheel event with Ctrl.
  const pinch = useRef((_event: WheelEvent) => {});
  pinch.current = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setLook({
      heightPx: Math.round(Math.max(80, Math.min(420, look.heightPx * Math.exp(-event.deltaY * 0.004)))),
    });
  };
  useEffect(() => {
    const element = scroller.current;
    const onWheel = (event: WheelEvent) => pinch.current(event);
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);

  const activate = (index: number) => {
    awaited.current = null;
    const bounded = Math.max(0, Math.min(shownRows - 1, index));
    activeId.current = source.rowAt(bounded)?.id ?? null;
    props.onActiveRow(source.rowAt(bounded), bounded);
    tileOf(scroller.current, bounded)?.scrollIntoView({ block: 'nearest' });
  };
  const selectSpan = async (from: number, to: number) => {
    const ids = await source.idsOf(Math.min(from, to), Math.max(from, to));
    onSelect(selectRows(selection, ids, true));
  };
  const step = (by: number, isExtending: boolean) => {
    if (total === 0) return;
    const from = activeRow ?? -1;
    const wanted = Math.max(0, Math.min(shownRows - 1, activeRow === null ? 0 : from + by));
    const to = heads ? unfoldedNear(heads, wanted, Math.sign(by)) : wanted;
    if (to === null) return;
    activate(to);
    if (!isExtending) anchor.current = to;
    else {
      anchor.current ??= Math.max(0, from);
      void selectSpan(anchor.current, to);
    }
  };
  const stepLine = (direction: 1 | -1, isExtending: boolean) => {
    const target = activeRow === null ? null : neighbourTile(scroller.current, activeRow, direction);
    step(target === null ? direction : target - (activeRow ?? 0), isExtending);
  };
  const toggle = (index: number) => {
    const row = source.rowAt(index);
    if (!row) return;
    anchor.current = index;
    onSelect(toggleRow(selection, row.id));
  };
  const open = (index = activeRow ?? 0) => {
    const row = source.rowAt(index);
    if (row) props.onOpenRow(row);
  };
  const view = (index = activeRow ?? 0) => {
    const row = source.rowAt(index);
    if (row && picture && props.onViewRow) props.onViewRow(row, picture.name);
    else open(index);
  };

  /** Where the active row stands among the rows as they are now: an edit may have put it elsewhere. */
  const placeOfActive = (): number => {
    const place = activeRow ?? 0;
    const id = activeId.current;
    if (activeRow === null || id === null || source.rowAt(place)?.id === id) return place;
    return source.find(id)?.index ?? place;
  };

  const onKeyDown = useGalleryKeys({
    step,
    stepLine,
    goTo: (end) => activate(end === 'first' ? 0 : shownRows - 1),
    open: () => open(placeOfActive()),
    view: () => view(),
    toggle: () => toggle(placeOfActive()),
    selectAll: () => onSelect(allSelected),
    clear: () => onSelect(emptySelection),
    canClear: countSelected(selection, total) > 0,
  });

  const onClick = (event: MouseEvent) => {
    const index = indexOf(event.target);
    if (index === null || (event.target as Element).closest('[data-keep],[data-mark]')) return;
    scroller.current?.focus({ preventScroll: true });
    if (event.shiftKey) {
      void selectSpan(anchor.current ?? activeRow ?? 0, index);
    } else if (event.ctrlKey || event.metaKey) {
      toggle(index);
    } else {
      anchor.current = index;
    }
    activeId.current = source.rowAt(index)?.id ?? null;
    props.onActiveRow(source.rowAt(index), index);
  };
  const onPointerDown = (event: PointerEvent) => {
    awaited.current = null;
    const index = (event.target as Element).closest('[data-mark]') ? indexOf(event.target) : null;
    const row = index === null ? undefined : source.rowAt(index);
    if (!row || event.button !== 0) return;
    event.preventDefault();
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    sweep.current = { isOn: !isSelected(selection, row.id) };
    toggle(row.index);
  };
  const onPointerOver = (event: PointerEvent) => {
    const index = sweep.current && event.buttons === 1 ? indexOf(event.target) : null;
    if (event.buttons !== 1) sweep.current = null;
    const row = index === null ? undefined : source.rowAt(index);
    if (row && sweep.current) onSelect(selectRows(selection, [row.id], sweep.current.isOn));
  };

  if (columns.length > 0 && !picture) {
    return (
      <EmptyState title="This table has no pictures, videos or sounds" action={props.noMedia}>
        The gallery shows columns of media. Where a column holds them in another form, say so in its role.
      </EmptyState>
    );
  }
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        role="list"
        aria-label="Gallery"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk the pictures
        tabIndex={0}
        aria-busy={state.isLoading}
        className={styles.gallery}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={(event) => {
          const index = indexOf(event.target);
          if (index !== null && !(event.target as Element).closest('[data-keep],[data-mark]')) view(index);
        }}
        onWheel={() => {
          awaited.current = null;
        }}
        onPointerDown={onPointerDown}
        onPointerOver={onPointerOver}
        onPointerUp={() => {
          sweep.current = null;
        }}
      >
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          <TileOverlayProvider table={table} columns={columns} detail={props.detail} source={source}>
            {picture &&
              widthPx > 0 &&
              items.map((item) => {
                const { start, rows: count } = plan.at(item.index);
                const head = headOf(item.index);
                return (
                  <div
                    key={item.key}
                    role="presentation"
                    className={styles.block}
                    style={{ transform: `translateY(${item.start}px)`, width: widthPx }}
                  >
                    {head && group && (
                      <GalleryHead
                        head={head}
                        column={group.column}
                        heightPx={headPx}
                        onFold={group.onFold}
                      />
                    )}
                    <GalleryBlock
                      block={item.index}
                      measures={measures}
                      start={start}
                      rows={rowsOf(start, count)}
                      total={shownRows}
                      isEnd={item.index + 1 >= plan.count || plan.at(item.index + 1).head !== null}
                      column={picture.name}
                      captions={captions}
                      captionPx={captionPx}
                      sizes={sizes}
                      media={media}
                      widthPx={widthPx}
                      targetPx={look.heightPx}
                      gapPx={gapPx}
                      selection={selection}
                      activeRow={activeRow}
                      onHeight={head ? resizeHeaded : resize}
                    />
                  </div>
                );
              })}
          </TileOverlayProvider>
        </div>
        {shownRows < total && (
          <Note>
            The gallery ends here, after {formatCount(shownRows)} of {formatCount(total)} rows. Filter or sort
            to see others, or use the grid.
          </Note>
        )}
        {state.error === null && state.total === 0 && props.empty}
        <ErrorNote
          isWhole={total === 0}
          error={state.error}
          title="The rows cannot be shown."
          onRetry={() => source.retry()}
          actions={props.errorActions}
        />
      </div>
    </div>
  );
}

/** Tells the source which rows the blocks in sight have. */
function showBlocks(
  source: RowSource,
  plan: BlockPlan,
  { firstBlock, lastBlock }: { firstBlock: number; lastBlock: number },
): void {
  const spans: { first: number; last: number }[] = [];
  for (let block = firstBlock; block <= Math.min(lastBlock, plan.count - 1); block += 1) {
    const { start, rows } = plan.at(block);
    const before = spans.at(-1);
    if (rows > 0 && before?.last === start - 1) before.last += rows;
    else if (rows > 0) spans.push({ first: start, last: start + rows - 1 });
  }
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return;
  if (source.showSpans) source.showSpans(spans);
  else source.show(first.first, last.last);
}

/** A row, or the next in a direction that is in no folded group; null when there is none. */
function unfoldedNear(
  heads: readonly (RowGroup & { isFolded: boolean })[],
  position: number,
  direction: number,
): number | null {
  const at = heads.findIndex(({ start, rows }) => position < start + rows);
  const here = heads[at];
  if (!here?.isFolded) return position;
  const next =
    direction < 0
      ? heads.slice(0, at).findLast(({ isFolded }) => !isFolded)
      : heads.slice(at + 1).find(({ isFolded }) => !isFolded);
  if (!next) return null;
  return direction < 0 ? next.start + next.rows - 1 : next.start;
}
