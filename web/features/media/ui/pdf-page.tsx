import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { IconButton, Spacer, TextField } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { type MediaPlace, useMediaFacts } from '../queries.ts';
import { MediaProblem } from './media-problem.tsx';
import styles from './pdf-page.module.css';
import { type PdfPages, usePdfPages } from './use-pdf-pages.ts';

const sheetPx = 2048;

/** The pages of a PDF, drawn by the server: viewers of browsers do not open in a sandbox. */
export function PdfPage({
  address,
  place,
  sizeBytes,
  downloadAs,
}: {
  address: MediaAddress;
  place: MediaPlace;
  sizeBytes: number;
  downloadAs: string;
}) {
  const facts = useMediaFacts(place, true);
  const pages = facts.data?.pages ?? null;
  const walk = usePdfPages(pages);
  const { page } = walk;
  const [drawn, setDrawn] = useState<number | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const src = address.thumb(sheetPx, page);
  const isFailed = failed === src;
  const shown = isFailed ? page : (drawn ?? page);
  const sheets = drawn === null || drawn === page ? [page] : [drawn, page];
  const download = `${address.blob}${address.blob.includes('?') ? '&' : '?'}download=${encodeURIComponent(downloadAs)}`;
  return (
    <div className={styles.pdf}>
      <div className={styles.sheet}>
        {isFailed ? (
          <MediaProblem src={src} />
        ) : (
          sheets.map((one) => (
            <img
              key={one}
              src={address.thumb(sheetPx, one)}
              alt={`Page ${one} of ${place.column}`}
              hidden={one !== shown}
              draggable={false}
              onLoad={() => one === page && setDrawn(one)}
              onError={() => one === page && setFailed(src)}
            />
          ))
        )}
      </div>
      <div className={styles.bar}>
        {pages !== 1 && (
          <IconButton
            label="Previous page"
            keys="PageUp"
            icon={<ChevronLeft />}
            whyNot={walk.whyNot(-1)}
            onClick={() => walk.go(page - 1)}
          />
        )}
        <span role="status" className={styles.where}>
          {pages === null
            ? `page ${formatCount(shown)}`
            : `page ${formatCount(shown)} of ${formatCount(pages)}`}
          {drawn !== null && shown !== page && (
            <span className={styles.pending}> · {formatCount(page)} is being drawn</span>
          )}
        </span>
        {pages !== 1 && (
          <IconButton
            label="Next page"
            keys="PageDown"
            icon={<ChevronRight />}
            whyNot={walk.whyNot(1)}
            onClick={() => walk.go(page + 1)}
          />
        )}
        {pages !== null && pages > 1 && <PageField pages={pages} go={walk.go} />}
        <Spacer />
        <a href={download}>Download all of it, {formatBytes(sizeBytes)}</a>
      </div>
    </div>
  );
}

function PageField({ pages, go }: { pages: number; go: PdfPages['go'] }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = Number(text.trim());
    if (text.trim() === '') return;
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > pages) {
      setError(`1 to ${formatCount(pages)}`);
      return;
    }
    setText('');
    go(wanted);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="Go to page"
        isLabelHidden
        placeholder="Go to page"
        inputMode="numeric"
        className={styles.field}
        value={text}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
        error={error}
      />
    </form>
  );
}
