import { type RefObject, useEffect } from 'react';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { Point, Shape, Size } from '#shared/domain/annotations/shape.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { type GridColumn, type GridRow, type MediaAddress, readBlobCell } from '../../grid/index.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import type { SetComparison } from '../model/compare-sets.ts';
import type { stageOf } from '../model/viewable.ts';
import { fitScale, seenBox, type View, wholeView } from '../model/viewport.ts';
import type { MediaLook } from '../store.ts';
import { type AnnotationId, AnnotationLayer } from './annotation-layer.tsx';
import { AudioStage } from './audio-stage.tsx';
import { PaintPreview } from './paint-preview.tsx';
import { PictureStage } from './picture-stage.tsx';
import type { Pixel } from './read-pixel.ts';
import { DrawnShape, ShapeHandles } from './shape-handles.tsx';
import { TextFile } from './text-file.tsx';
import { TextReader, ValueReader } from './text-reader.tsx';
import type { PictureMask } from './use-picture-masks.ts';
import { type DrawKind, findAnnotation, type PaintKind, useShapeTool } from './use-shape-tool.ts';
import { VideoStage } from './video-stage.tsx';
import styles from './viewer.module.css';

export interface RowStageProps {
  row: GridRow;
  column: GridColumn | undefined;
  kind: ReturnType<typeof stageOf>;
  address: MediaAddress | null;
  cell: CellOf;
  columns: readonly GridColumn[];
  size: Size | null;
  onSize: (size: Size) => void;
  onStage: (size: Size) => void;
  view: View;
  onView: (view: View) => void;
  hasGrid: boolean;
  image: RefObject<HTMLImageElement | null>;
  onPixel: (pixel: Pixel | null) => void;
  onFailed: (src: string) => void;
  onClock: (clock: { time: number; frame: number }) => void;
  sets: readonly AnnotationSet[];
  masks: readonly PictureMask[];
  look: MediaLook;
  comparison: SetComparison | null;
  selected: AnnotationId | null;
  onSelect: (id: AnnotationId | null) => void;
  handle: number | null;
  isEditing: boolean;
  drawing: DrawKind | null;
  onDrawn: (shape: Shape) => void;
  onPoint: (at: Point) => void;
  onPaint: (kind: PaintKind, points: readonly Point[], isClearing: boolean) => void;
  /** Of the brush, in pixels of the picture. */
  diameter: number;
  onReshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void;
}

/** What a column of a row looks like, as large as there is room. */
export function RowStage(props: RowStageProps) {
  const { row, column, kind, address, cell, columns } = props;
  if (!column) {
    return <Middle text="This row has nothing to look at: no media, no long text, no structure." />;
  }
  if (kind === 'value') {
    const value = cell(column.name);
    return typeof value === 'string' ? <TextReader text={value} /> : <ValueReader value={value} />;
  }
  if (!address) return <Middle text="There is nothing in this cell." />;
  const blob = readBlobCell(row.value(column.name));
  const cells = columns
    .filter(({ kind: of }) => of === 'number' || of === 'list' || of === 'struct')
    .map(({ name }) => ({ name, value: cell(name) }));
  switch (kind) {
    case 'image':
      return <Picture {...props} address={address} name={column.name} />;
    case 'video':
      return <Film {...props} address={address} name={column.name} cells={cells} />;
    case 'audio':
      return (
        <AudioStage
          address={address}
          name={column.name}
          sizeBytes={blob?.sizeBytes ?? 0}
          cells={cells}
          onError={() => props.onFailed(address.thumb(768))}
        />
      );
    case 'text':
      return <TextFile src={address.blob} sizeBytes={blob?.sizeBytes ?? 0} />;
    default:
      return (
        <Middle
          text={`These ${formatBytes(blob?.sizeBytes ?? 0)} of ${blob?.contentType ?? 'unknown type'} have no picture.`}
          download={`${address.blob}${address.blob.includes('?') ? '&' : '?'}download=${encodeURIComponent(`${column.name}-${row.id}`)}`}
        />
      );
  }
}

function Middle({ text, download }: { text: string; download?: string }) {
  return (
    <div className={styles.middle}>
      <p className={styles.faint}>
        {text} {download && <a href={download}>Download</a>}
      </p>
    </div>
  );
}

type PictureProps = RowStageProps & { address: MediaAddress; name: string };

const noSize: Size = { width: 1, height: 1 };

function Picture(props: PictureProps) {
  const { address, name, size, onSize, view, onView, sets, masks, look, selected, handle, isEditing } = props;
  const tool = useShapeTool({
    sets,
    size: size ?? noSize,
    selected,
    onSelect: props.onSelect,
    isEditing,
    drawing: props.drawing,
    onDrawn: props.onDrawn,
    onPoint: props.onPoint,
    onPaint: props.onPaint,
    onReshape: props.onReshape,
  });
  const current = isEditing ? findAnnotation(sets, selected) : undefined;
  const handled = tool.live && current ? tool.live.shapes : current?.shapes;
  return (
    <PictureStage
      address={address}
      name={name}
      size={size}
      onSize={onSize}
      view={view}
      onView={onView}
      hasGrid={props.hasGrid}
      tool={tool}
      image={props.image}
      onPixel={props.onPixel}
      onError={() => props.onFailed(address.thumb(1024))}
      onDoubleClick={() => {
        if (props.drawing === 'polygon') tool.finish();
        else if (size && !isEditing) onView(view.zoom > 1.01 ? wholeView : { ...view, zoom: 3 });
      }}
    >
      {({ placement, stage }) => (
        <>
          <StageSize stage={stage} onStage={props.onStage} />
          {size && (
            <AnnotationLayer
              sets={sets}
              size={size}
              seen={seenBox(placement, stage)}
              scale={placement.scale}
              hasNames={look.hasNames}
              comparison={props.comparison}
              selected={selected}
              live={tool.live}
              pictures={masks.map((mask) => ({ name: mask.name, href: mask.paint(look.hiddenClasses) }))}
            >
              {handled && <ShapeHandles shapes={handled} scale={placement.scale} current={handle} />}
              {(tool.stroke || tool.spot) && (
                <PaintPreview
                  stroke={tool.stroke}
                  spot={tool.spot}
                  diameter={props.diameter}
                  isErasing={props.drawing === 'eraser'}
                />
              )}
              {tool.drawn && <DrawnShape shape={tool.drawn} />}
            </AnnotationLayer>
          )}
        </>
      )}
    </PictureStage>
  );
}

function StageSize({ stage, onStage }: { stage: Size; onStage: (size: Size) => void }) {
  useEffect(() => onStage(stage), [stage, onStage]);
  return null;
}

function Film(props: PictureProps & { cells: { name: string; value: unknown }[] }) {
  const { address, name, sets, look, selected } = props;
  return (
    <VideoStage
      address={address}
      name={name}
      cells={props.cells}
      onSize={props.onSize}
      onError={() => props.onFailed(address.thumb(768))}
    >
      {({ size, time, frame }) => (
        <>
          <ClockTeller time={time} frame={frame} onClock={props.onClock} />
          <AnnotationLayer
            sets={sets}
            size={size}
            scale={fitScale(size, { width: 900, height: 600 })}
            hasNames={look.hasNames}
            comparison={props.comparison}
            selected={selected}
          />
        </>
      )}
    </VideoStage>
  );
}

function ClockTeller({
  time,
  frame,
  onClock,
}: {
  time: number;
  frame: number;
  onClock: (clock: { time: number; frame: number }) => void;
}) {
  useEffect(() => onClock({ time, frame }), [time, frame, onClock]);
  return null;
}
