import { type RefObject, useEffect } from 'react';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { Point, Shape, Size } from '#shared/domain/annotations/shape.ts';
import type { BlobCell } from '#shared/domain/columns.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { type GridColumn, type GridRow, type MediaAddress, readBlobCell } from '../../grid/index.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import type { SetComparison } from '../model/compare-sets.ts';
import type { stageOf } from '../model/viewable.ts';
import { type View, wholeView } from '../model/viewport.ts';
import type { MediaLook } from '../store.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import { AudioStage } from './audio-stage.tsx';
import { EditedLayer, useStageTool } from './edited-layer.tsx';
import { Film } from './film.tsx';
import { LazyModelStage } from './lazy-models.tsx';
import { PdfPage } from './pdf-page.tsx';
import { PictureStage } from './picture-stage.tsx';
import type { Pixel } from './read-pixel.ts';
import { TextFile } from './text-file.tsx';
import { TextReader, ValueReader } from './text-reader.tsx';
import type { PictureMask } from './use-picture-masks.ts';
import type { Player } from './use-player.ts';
import type { DrawKind, PaintKind } from './use-shape-tool.ts';
import styles from './viewer.module.css';

export interface RowStageProps {
  table: string;
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
  /** The frame of a video that is shown. */
  onFrame: (frame: number) => void;
  /** The moves of the video on the stage; null when it is gone. */
  onPlayer: (player: Player | null) => void;
  /** Frames of the video that have annotations, sorted. */
  annotated: readonly number[];
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
      return <Picture {...props} address={address} name={column.name} blob={blob} />;
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
    case 'model':
      return <LazyModelStage table={props.table} address={address} name={column.name} />;
    case 'text':
      return <TextFile src={address.blob} sizeBytes={blob?.sizeBytes ?? 0} />;
    case 'pdf':
      return (
        <PdfPage
          address={address}
          place={{ table: props.table, ref: row.ref ?? 'main', column: column.name, rowId: row.id }}
          sizeBytes={blob?.sizeBytes ?? 0}
          downloadAs={`${column.name}-${row.id}`}
        />
      );
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

type PictureProps = RowStageProps & { address: MediaAddress; name: string; blob: BlobCell | null };

function Picture(props: PictureProps) {
  const { address, name, size, onSize, view, onView, isEditing } = props;
  const tool = useStageTool(props, size);
  return (
    <PictureStage
      address={address}
      name={name}
      blob={props.blob}
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
          {size && <EditedLayer props={props} tool={tool} size={size} placement={placement} stage={stage} />}
        </>
      )}
    </PictureStage>
  );
}

function StageSize({ stage, onStage }: { stage: Size; onStage: (size: Size) => void }) {
  useEffect(() => onStage(stage), [stage, onStage]);
  return null;
}
