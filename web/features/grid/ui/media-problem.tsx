import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { ErrorNote } from '../../../ui/index.ts';
import { downloadOfThumb, readMediaReason } from '../model/media-reason.ts';
import styles from './cells.module.css';

const unknown = new Error('This browser cannot show its format.');

/** Why a medium cannot be shown, in the server's words, with its size and first bytes and the way to have it. */
export function MediaProblem({ src }: { src: string }) {
  const { data, isPending } = useQuery({
    queryKey: ['media-problem', src],
    queryFn: ({ signal }) => readMediaReason(src, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isPending) return null;
  return (
    <ErrorNote
      error={data ?? unknown}
      title="It cannot be shown."
      actions={
        <a href={downloadOfThumb(src)} download className={styles.download}>
          <Download size={14} aria-hidden /> Download
        </a>
      }
    />
  );
}
