import { formatBytes } from '../../../ui/format-quantity.ts';
import type { MediaAddress } from '../../grid/index.ts';
import styles from './viewer.module.css';

/** The first page of a PDF, drawn by the server: viewers of browsers do not open in a sandbox. */
export function PdfPage({
  address,
  name,
  sizeBytes,
  downloadAs,
  onError,
}: {
  address: MediaAddress;
  name: string;
  sizeBytes: number;
  downloadAs: string;
  onError: () => void;
}) {
  const download = `${address.blob}${address.blob.includes('?') ? '&' : '?'}download=${encodeURIComponent(downloadAs)}`;
  return (
    <div className={styles.page}>
      <img src={address.thumb(2048)} alt={`First page of ${name}`} onError={onError} />
      <p className={styles.faint}>
        The first page. <a href={download}>Download</a> all of it, {formatBytes(sizeBytes)}.
      </p>
    </div>
  );
}
