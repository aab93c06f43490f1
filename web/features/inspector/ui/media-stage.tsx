import { Download, ExternalLink } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Problem, parseProblem } from '#shared/api/problem.ts';
import type { BlobCell } from '#shared/domain/columns.ts';
import { cx, ErrorNote, Segmented, Spacer, Tooltip } from '../../../ui/index.ts';
import {
  type GridColumn,
  type GridRow,
  isShownByBrowsers,
  type MediaAddress,
  type MediaOf,
  MediaProblem,
  readBlobCell,
  sizeOfCell,
} from '../../grid/index.ts';
import styles from './inspector.module.css';
import { Zoomable } from './zoomable.tsx';

export interface MediaStageProps {
  row: GridRow;
  /** Columns of media that have a value here. */
  columns: readonly GridColumn[];
  media: MediaOf;
  isLarge: boolean;
  /** Buttons for the column that is shown. */
  actionsOf?: (column: string) => ReactNode;
  /** What is drawn over the picture of a column, fitted into the same box. */
  overlayOf?: (column: string) => ReactNode;
  /** Puts the stage of a column into something; `stage` draws it, with one more button. */
  wrapOf?: (column: string, stage: (button: ReactNode) => ReactNode) => ReactNode;
}

/** The row's picture, video, sound or file, on a ground of fixed height. */
export function MediaStage({ row, columns, media, isLarge, actionsOf, overlayOf, wrapOf }: MediaStageProps) {
  const [chosen, setChosen] = useState(columns[0]?.name ?? '');
  const column = columns.find((one) => one.name === chosen) ?? columns[0];
  const cell = column ? readBlobCell(row.value(column.name)) : null;
  const address = column ? media(row, column.name) : null;
  if (!column || !cell || !address) return null;
  const stage = (button: ReactNode) => (
    <figure className={cx(styles.stage, cell.kind === 'audio' && styles.stageLow)}>
      <div className={styles.ground}>
        <Media key={address.blob} cell={cell} address={address} name={column.name} isLarge={isLarge}>
          {cell.kind === 'image' && overlayOf?.(column.name)}
        </Media>
      </div>
      <figcaption className={styles.stageFoot}>
        {columns.length > 1 ? (
          <Segmented
            label="Media column"
            value={column.name}
            onChange={setChosen}
            options={columns.map((one) => ({ value: one.name, label: one.name }))}
          />
        ) : (
          <span>{column.name}</span>
        )}
        <span className={styles.faint}>
          {cell.contentType ?? cell.kind} · {sizeOfCell(cell)}
        </span>
        <Spacer />
        {button}
        {actionsOf?.(column.name)}
        <Tooltip text="Open the file">
          <a
            href={address.blob}
            target="_blank"
            rel="noopener"
            className={styles.stageLink}
            aria-label={`Open ${column.name}`}
          >
            <ExternalLink size={14} />
          </a>
        </Tooltip>
        <Tooltip text="Download">
          <a
            href={withDownload(address.blob, `${column.name}-${row.id}`)}
            download
            className={styles.stageLink}
            aria-label={`Download ${column.name}`}
          >
            <Download size={14} />
          </a>
        </Tooltip>
      </figcaption>
    </figure>
  );
  return wrapOf ? wrapOf(column.name, stage) : stage(null);
}

const withDownload = (blob: string, name: string): string =>
  `${blob}${blob.includes('?') ? '&' : '?'}download=${encodeURIComponent(name)}`;

function Media({
  cell,
  address,
  name,
  isLarge,
  children,
}: {
  cell: BlobCell;
  address: MediaAddress;
  name: string;
  isLarge: boolean;
  children?: ReactNode;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  if (failed) return <MediaProblem src={failed} />;
  switch (cell.kind) {
    case 'image':
      return (
        <Picture
          address={address}
          name={name}
          isRawShown={isShownByBrowsers(cell)}
          isLarge={isLarge}
          onError={() => setFailed(address.thumb(1024))}
        >
          {children}
        </Picture>
      );
    case 'video':
      return (
        // biome-ignore lint/a11y/useMediaCaption: videos of the person's own data have no captions
        <video
          className={styles.video}
          src={address.blob}
          poster={address.thumb(768)}
          controls
          playsInline
          preload="metadata"
          onError={() => setFailed(address.thumb(768))}
        />
      );
    case 'audio':
      return (
        <div className={styles.audio}>
          <img src={address.thumb(768)} alt="" className={styles.waveform} />
          {/* biome-ignore lint/a11y/useMediaCaption: sounds of the person's own data have no captions */}
          <audio
            src={address.blob}
            controls
            preload="metadata"
            onError={() => setFailed(address.thumb(768))}
          />
        </div>
      );
    case 'text':
      return <TextFile src={address.blob} />;
    case 'model':
    case 'pdf':
      return (
        <img
          src={address.thumb(1024)}
          alt={cell.kind === 'pdf' ? `First page of ${name}` : name}
          className={styles.picture}
          onError={() => setFailed(address.thumb(1024))}
        />
      );
    default:
      return <p className={styles.faint}>These bytes have no picture. Open or download them below.</p>;
  }
}

/**
 * The small picture at once, the whole one over it when it is there. Where a browser cannot read the format, the server's
 * own picture stays; where the server cannot read it, that is said over whatever the browser makes of it.
 */
function Picture({
  address,
  name,
  isRawShown,
  isLarge,
  onError,
  children,
}: {
  address: MediaAddress;
  name: string;
  /** Browsers show such pictures by their own bytes. */
  isRawShown: boolean;
  isLarge: boolean;
  onError: () => void;
  children?: ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const [isRaw, setRaw] = useState(isRawShown);
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      <Zoomable isEnabled={isLarge}>
        {(!isWhole || !isBroken) && (
          <img
            src={address.thumb(256)}
            alt=""
            aria-hidden
            className={cx(styles.picture, isWhole && styles.coming)}
            draggable={false}
            onError={() => setBroken(true)}
          />
        )}
        <img
          src={isRaw ? address.blob : address.thumb(1024)}
          alt={name}
          title={isRaw ? undefined : 'Shown as decoded by Curio: browsers do not show this kind of picture'}
          draggable={false}
          decoding="async"
          className={cx(styles.picture, !isWhole && styles.coming)}
          onLoad={() => setWhole(true)}
          onError={() => (isRaw ? setRaw(false) : onError())}
        />
        {children && <div className={styles.picture}>{children}</div>}
      </Zoomable>
      {isBroken && (
        <div className={styles.problem}>
          <MediaProblem src={address.thumb(256)} />
        </div>
      )}
    </>
  );
}

const textBytes = 65_536;

function TextFile({ src }: { src: string }) {
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const controller = new AbortController();
    fetch(src, { headers: { Range: `bytes=0-${textBytes - 1}` }, signal: controller.signal })
      .then(async (response) => {
        if (!response.ok) throw parseProblem(Problem.parse(await response.json()));
        setText(await response.text());
      })
      .catch((failure: unknown) => !controller.signal.aborted && setError(failure));
    return () => controller.abort();
  }, [src]);
  if (error) return <ErrorNote error={error} title="The text cannot be read." />;
  return <pre className={styles.textFile}>{text}</pre>;
}
