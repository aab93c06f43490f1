import { AppError } from '#shared/api/problem.ts';
import type { SearchBody } from '#shared/api/tables.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { compileWhere } from './compile-where.ts';
import { type ResolvedRef, resolveRef } from './resolve-ref.ts';

const noModel = (what: string, hint: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `Searching by ${what} needs an embedding model, and none is set up.`,
    hint,
  });

/** Throws unless the request says what its mode needs. */
function assertComplete({ mode, text, rowId, vector, image }: SearchBody): void {
  if (image !== undefined)
    throw noModel('a picture', 'Search by a row of the table (rowId) or by a vector instead.');
  const hasText = text !== undefined && text.trim() !== '';
  const hasVector = rowId !== undefined || vector !== undefined;
  if (rowId !== undefined && vector !== undefined)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A search starts from a row or from a vector, not from both.',
      hint: 'Leave out rowId or vector.',
    });
  if (mode === 'text' && !hasText)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A text search needs words.',
      hint: 'Send them as text.',
    });
  if (mode === 'vector' && !hasVector) {
    if (hasText) throw noModel('meaning', 'Use mode "text" for words, or give rowId or vector.');
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A vector search needs a row or a vector to start from.',
      hint: 'Send rowId or vector.',
    });
  }
  if (mode === 'hybrid' && !hasText)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A hybrid search needs words beside the row or the vector.',
      hint: 'Send them as text, or use mode "vector".',
    });
  if (mode === 'hybrid' && !hasVector)
    throw noModel('meaning', 'Use mode "text" for words alone, or add rowId or vector.');
}

/** Similar rows, rows with the words, or both ranks fused, as an Arrow stream in order of relevance. */
export async function searchRows(
  ports: Pick<Ports, 'reader' | 'store'>,
  { table, body }: { table: string; body: SearchBody },
  context: CallContext,
): Promise<{ stream: ByteStream; resolved: ResolvedRef }> {
  const { ref: refText, ...search } = body;
  assertComplete(body);
  const resolved = await resolveRef(ports, table, refText, context);
  const pinned = { table, ref: resolved.ref };
  const where = await compileWhere(ports, pinned, search.where, context);
  return { stream: await ports.reader.search({ ...pinned, ...search, where }, context), resolved };
}
