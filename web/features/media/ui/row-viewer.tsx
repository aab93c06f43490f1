import { useEffect, useMemo, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { Segmented, Select } from '../../../ui/index.ts';
import { useEditing } from '../../edit/index.ts';
import { formatValue, type GridColumn, nameColumnOf, readBlobCell } from '../../grid/index.ts';
import {
  cellsOfRow,
  detectInTable,
  filterSets,
  layoutsFor,
  neededColumns,
  readSets,
  sampleCells,
  withCells,
} from '../model/annotation-sets.ts';
import { classesOfSample } from '../model/class-list.ts';
import { scopesOfRow } from '../model/crop-scopes.ts';
import { stageOf, viewableColumns } from '../model/viewable.ts';
import { type View, wholeView } from '../model/viewport.ts';
import { useMediaFacts } from '../queries.ts';
import { useMediaLook } from '../store.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import { AnnotationPanel } from './annotation-panel.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { EditBar } from './edit-bar.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { FrameNote } from './frame-note.tsx';
import { MediaProblem } from './media-problem.tsx';
import type { MediaViewerProps } from './media-viewer.tsx';
import panelStyles from './panel.module.css';
import { PixelReadout } from './pixel-readout.tsx';
import { PointList } from './point-list.tsx';
import type { Pixel } from './read-pixel.ts';
import { RowStage } from './row-stage.tsx';
import { useAnnotationEditing } from './use-annotation-editing.ts';
import { useComparison } from './use-comparison.ts';
import { useEditKeys } from './use-edit-keys.ts';
import { useFilmFrames } from './use-film-frames.ts';
import { usePictureMasks } from './use-picture-masks.ts';
import { type DrawKind, findAnnotation } from './use-shape-tool.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { useWalkKeys } from './use-walk-keys.ts';
import styles from './viewer.module.css';
import { ViewerBar } from './viewer-bar.tsx';

type RowViewerProps = MediaViewerProps & { detail: TableDetail; row: NonNullable<MediaViewerProps['row']> };

const noLayouts: readonly AnnotationLayout[] = [];

/** Outlines of a column that can hold runs only. */
const isMaskColumn = (layout: AnnotationLayout | undefined, columns: readonly GridColumn[]): boolean =>
  /\bcounts\b/.test(columns.find(({ name }) => name === layout?.column)?.type ?? '');

const noSize: Size = { width: 1, height: 1 };
const noFrames: readonly number[] = [];
const noFrame = () => undefined;

/** The stage of one row with its bar and panel; the draft of its annotations lives here. */
export function RowViewer(props: RowViewerProps) {
  const { table, detail, columns, source, media, row, index, total, onStep, onClose, onColumn } = props;
  const [look, onLook] = useMediaLook(table);
  const [view, setView] = useState<View>(wholeView);
  const [sizes, setSizes] = useState<Readonly<Record<string, Size>>>({});
  const [stage, setStage] = useState<Size>(noSize);
  const [pixel, setPixel] = useState<Pixel | null>(null);
  const [hasGrid, setGrid] = useState(true);
  const [isEditing, setEditing] = useState(false);
  const [selected, setSelected] = useState<AnnotationId | null>(null);
  const [handle, setHandle] = useState<number | null>(null);
  const [drawing, setDrawing] = useState<DrawKind | null>(null);
  const [editedSet, setEditedSet] = useState<string | null>(null);
  const [point, setPoint] = useState<number | null>(null);
  const [isCropping, setCropping] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: guessed anew for other columns or another table, not for every row
  const detection = useMemo(() => detectInTable(columns, detail, source, row), [columns, detail]);
  const choices = viewableColumns(row, columns, neededColumns(detection.layouts));
  const column = choices.find(({ name }) => name === props.column) ?? choices[0];
  const name = column?.name ?? '';
  const kind = stageOf(row, column);
  const address = column?.kind === 'media' ? media(row, name) : null;
  const placeKey = `${row.id}/${name}`;
  const place = { table, ref: row.ref ?? 'main', column: name, rowId: row.id };
  const told = useMediaFacts(place, kind === 'image').data;
  const toldSize = useMemo(
    () => (told?.width && told.height ? { width: told.width, height: told.height } : null),
    [told?.width, told?.height],
  );
  const size = sizes[placeKey] ?? toldSize;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row or column starts anew
  useEffect(() => {
    setView(wholeView);
    setSelected(null);
    setHandle(null);
    setDrawing(null);
    setPoint(null);
    setFailed(null);
    setPixel(null);
  }, [placeKey]);

  const layouts = useMemo(() => layoutsFor(detection.layouts, name), [detection, name]);
  const rowCells = useMemo(() => cellsOfRow(row, columns), [row, columns]);
  const editing = useEditing(table, detail);
  const changes = useAnnotationEditing({
    row,
    cell: rowCells,
    size,
    onSave: ({ rowId, values, label }) =>
      editing.submit({ op: { op: 'set', rows: { ids: [rowId] }, values }, count: 1, label }),
  });
  const isDrawnOn = kind === 'image' || kind === 'video';
  const cell = useMemo(() => withCells(rowCells, changes.cells), [rowCells, changes.cells]);
  const sets = useMemo(
    () => (isDrawnOn && size ? readSets(cell, layouts, size) : []),
    [cell, layouts, size, isDrawnOn],
  );
  const masks = usePictureMasks(isDrawnOn ? layouts : noLayouts, {
    row,
    media,
    cells: changes.cells,
    size: isEditing ? size : null,
  });
  const film = useFilmFrames({
    src: kind === 'video' ? (address?.blob ?? null) : null,
    sets,
    look,
    isEditing,
  });
  const { hasAnnotations, hiddenSets, hiddenClasses, minScore } = look;
  const filtered = useMemo(
    () =>
      kind === 'image' && hasAnnotations ? filterSets(sets, { hiddenSets, hiddenClasses, minScore }) : [],
    [kind, sets, hasAnnotations, hiddenSets, hiddenClasses, minScore],
  );
  const shown = film?.shown ?? filtered;
  const comparison = useComparison({ shown, masks, row, cells: changes.cells, size, look });
  const listed = comparison?.regions ? [...shown, ...comparison.regions] : shown;
  const current = findAnnotation(shown, selected);
  const currentLayout =
    layouts.find(({ column: of }) => of === (selected?.set ?? editedSet)) ??
    layouts.find(({ many }) => many !== 'picture') ??
    layouts[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: like the layouts, once for a table and not for every row
  const known = useMemo(
    () => (currentLayout ? classesOfSample(currentLayout, sampleCells(columns, source, row)) : []),
    [currentLayout, columns],
  );

  /** Leaving a row saves what was changed on it, as one edit. */
  const leave = async (go: () => void) => {
    if (await changes.save()) go();
  };
  const canStep = (by: number) => index !== null && total !== null && index + by >= 0 && index + by < total;
  const step = (by: number) => {
    if (index !== null && canStep(by)) void leave(() => onStep(index + by));
  };
  const on = { picture: size ?? noSize, stage };
  const select = (id: AnnotationId | null) => {
    setHandle(null);
    setPoint(null);
    setSelected(id);
  };
  const walk = useWalkKeys({
    shown: listed,
    selected,
    onSelect: select,
    comparison,
    view,
    setView,
    on,
    isFilm: film !== null,
  });
  useViewerKeys({
    canStep,
    step,
    view,
    setView,
    on,
    isPicture: kind === 'image' && size !== null,
    isModel: kind === 'model',
    isPdf: kind === 'pdf',
    isFilm: film !== null && size !== null,
    hasDigits: isEditing && Boolean(currentLayout?.label || currentLayout?.many === 'picture'),
    hasAnnotations: layouts.length > 0,
    look,
    onLook,
    isEditing,
    setGrid: () => setGrid(!hasGrid),
    close: () => void leave(onClose),
    selectNext: walk.selectNext,
    selected: findAnnotation(listed, selected) ? selected : null,
    clear: () => (drawing ? setDrawing(null) : setSelected(null)),
    drawing,
  });
  const canEdit = isDrawnOn && layouts.length > 0;
  const editor = {
    isEditing,
    setEditing,
    size,
    current,
    selected,
    setSelected,
    handle,
    setHandle,
    point,
    setPoint,
    drawing,
    setDrawing,
    layout: canEdit ? currentLayout : undefined,
    isMaskColumn: isMaskColumn(currentLayout, columns),
    masks,
    changes,
    sets,
    known,
    reveal: (set: string, label: string | null) =>
      onLook({
        hasAnnotations: true,
        hiddenSets: look.hiddenSets.filter((one) => one !== set),
        hiddenClasses: look.hiddenClasses.filter((one) => one !== (label ?? '')),
      }),
    shown,
    film,
    view,
    on,
  };
  const tools = useEditKeys(editor);
  const title = nameColumnOf(columns);
  const titleValue = title ? row.value(title.name) : null;
  const captions = detection.captions.filter(
    (one) => row.value(one) !== null && row.value(one) !== undefined,
  );
  const readingProps = { table, detail };
  return (
    <>
      <ViewerBar
        title={title && titleValue ? formatValue(titleValue, title.parsed) : `Row ${row.id}`}
        index={index}
        total={total}
        canStep={canStep}
        step={step}
        picture={
          isDrawnOn && size
            ? { view, on, setView, hasGrid, setGrid: film ? null : () => setGrid(!hasGrid) }
            : null
        }
        look={look}
        onLook={onLook}
        canAnnotate={isDrawnOn && layouts.length > 0}
        hasPanel={address !== null}
        canEdit={canEdit}
        isEditing={isEditing}
        onEdit={() => tools.setEditing(!isEditing)}
        onClose={() => void leave(onClose)}
      >
        {choices.length > 1 &&
          (choices.length <= 4 ? (
            <Segmented
              label="Column"
              value={name}
              onChange={(next) => void leave(() => onColumn(next))}
              options={choices.map((one) => ({ value: one.name, label: one.name }))}
            />
          ) : (
            <Select
              label="Column"
              isQuiet
              value={name}
              options={choices.map((one) => ({ value: one.name, label: one.name }))}
              onChange={(next) => void leave(() => onColumn(next))}
            />
          ))}
      </ViewerBar>
      <div className={styles.body}>
        <div className={styles.stage}>
          {failed ? (
            <div className={styles.middle}>
              <MediaProblem src={failed} />
            </div>
          ) : (
            <RowStage
              key={placeKey}
              table={table}
              row={row}
              column={column}
              kind={kind}
              address={address}
              cell={cell}
              columns={columns}
              size={size}
              onSize={(next) => setSizes((before) => ({ ...before, [placeKey]: next }))}
              onStage={setStage}
              view={view}
              onView={setView}
              hasGrid={hasGrid}
              image={image}
              onPixel={setPixel}
              onFailed={setFailed}
              onFrame={film?.setFrame ?? noFrame}
              onPlayer={film?.onPlayer ?? noFrame}
              annotated={film?.annotated ?? noFrames}
              sets={shown}
              masks={masks.filter((mask) => look.hasAnnotations && !look.hiddenSets.includes(mask.name))}
              look={look}
              comparison={comparison}
              selected={selected}
              onSelect={select}
              handle={handle}
              isEditing={isEditing}
              drawing={drawing}
              onDrawn={tools.addShape}
              onPoint={tools.points.place}
              onPaint={tools.masks.paint}
              diameter={tools.masks.diameter}
              onReshape={tools.reshape}
            />
          )}
          {isEditing && canEdit && (
            <EditBar
              tools={tools}
              changes={changes}
              current={current}
              layout={currentLayout}
              drawing={drawing}
              setDrawing={setDrawing}
              layouts={layouts}
              onLayout={(set) => {
                setSelected(null);
                setHandle(null);
                setDrawing(null);
                setEditedSet(set);
              }}
              isBusy={editing.isBusy}
            />
          )}
          {editing.problem && <div className={styles.problem}>{editing.problem}</div>}
        </div>
        {look.hasPanel && address && (
          <aside className={panelStyles.panel} aria-label="About it">
            {detection.classes.length > 0 && isDrawnOn && (
              <div className={styles.chips}>
                {detection.classes.map((one) => {
                  const value = row.value(one);
                  const of = columns.find((other) => other.name === one);
                  return value === null || value === undefined || !of ? null : (
                    <span key={one} className={styles.chip}>
                      <b>{one}</b> {formatValue(value, of.parsed)}
                    </span>
                  );
                })}
              </div>
            )}
            {film && <FrameNote film={film} isEditing={isEditing} />}
            {isDrawnOn && (
              <AnnotationPanel
                sets={film?.unfiltered ?? sets}
                masks={masks}
                look={look}
                onLook={onLook}
                comparison={comparison}
                selected={selected}
                onSelect={setSelected}
                onCrops={film ? null : () => setCropping(true)}
                reading={readingProps}
              />
            )}
            {isDrawnOn && <PointList points={tools.points} isEditing={isEditing} />}
            {address && <FactsPanel place={place} size={size} image={kind === 'image' ? image : null} />}
          </aside>
        )}
      </div>
      {captions.length > 0 && isDrawnOn && (
        <div className={styles.captions}>
          {captions.map((one) => (
            <p key={one}>{formatValue(row.value(one), columns.find((of) => of.name === one)!.parsed)}</p>
          ))}
        </div>
      )}
      {kind === 'image' && (
        <PixelReadout pixel={pixel} size={size} shown={readBlobCell(row.value(name))?.sizeBytes ?? 0} />
      )}
      {editing.dialog}
      {isCropping && column && (
        <CropDialog
          table={table}
          pinnedRef={row.ref ?? `${detail.ref.branch}:${detail.ref.version}`}
          media={name}
          sets={shown.filter(({ layout }) => layout.many !== 'picture')}
          wanted={selected?.set}
          scopesOf={(of) =>
            scopesOfRow({
              set: shown.find((set) => set.name === of),
              rowId: row.id,
              selected,
              detail,
            })
          }
          look={look}
          onClose={() => setCropping(false)}
        />
      )}
    </>
  );
}
