import { useQuery } from '@tanstack/react-query';
import { Problem, parseProblem } from '#shared/api/problem.ts';
import { ErrorNote, Skeleton } from '../../../ui/index.ts';
import { TextReader } from './text-reader.tsx';
import styles from './viewer.module.css';

const mostBytes = 2_000_000;

/** A file of text, up to its first two megabytes. */
export function TextFile({ src, sizeBytes }: { src: string; sizeBytes: number }) {
  const { data, error } = useQuery({
    queryKey: ['text-file', src],
    queryFn: async ({ signal }) => {
      const response = await fetch(src, { headers: { Range: `bytes=0-${mostBytes - 1}` }, signal });
      if (!response.ok) throw parseProblem(Problem.parse(await response.json()));
      return response.text();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <TextReader text={data} isPart={sizeBytes > mostBytes} />;
  return (
    <div className={styles.middle}>
      {error ? <ErrorNote error={error} title="The text cannot be read." /> : <Skeleton height={160} />}
    </div>
  );
}
