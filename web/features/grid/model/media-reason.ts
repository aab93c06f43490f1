import { type AppError, Problem, parseProblem } from '#shared/api/problem.ts';

/** Why there is no thumb at an address, in the server's words; null where there is one, or no answer. */
export async function readMediaReason(thumb: string, signal?: AbortSignal): Promise<AppError | null> {
  const response = await fetch(thumb, signal ? { signal } : {});
  if (response.ok) return null;
  const parsed = Problem.safeParse(await response.json().catch(() => null));
  return parsed.success ? parseProblem(parsed.data) : null;
}

/** Where the bytes behind a thumb can be downloaded. */
export function downloadOfThumb(thumb: string): string {
  const [path = '', query] = thumb.split('?');
  const params = new URLSearchParams(query);
  params.delete('size');
  params.delete('page');
  const [column = 'file', rowId = ''] = path.split('/').slice(-2).map(decodeURIComponent);
  params.set('download', `${column}-${rowId}`);
  return `${path.replace(/\/thumbs\/(?=[^/]+\/[^/]+$)/, '/blobs/')}?${params}`;
}
