import { AppError } from '#shared/api/problem.ts';
import { RowsQuery, type tablesApi } from '#shared/api/tables.ts';
import type { Ports } from '../../ports/index.ts';
import { countRows } from '../../usecases/count-rows.ts';
import { groupRows } from '../../usecases/group-rows.ts';
import { locateRow } from '../../usecases/locate-row.ts';
import { readRows } from '../../usecases/read-rows.ts';
import type { ArrowReply, Handlers } from '../handler.ts';
import { immutableTag } from '../immutable-tag.ts';

type RowRoutes = Pick<typeof tablesApi, 'rowsGet' | 'rowsPost' | 'countRows' | 'locateRow' | 'groupRows'>;

function parseQuery(text: string | undefined): RowsQuery {
  let value: unknown;
  try {
    value = text === undefined || text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The query “q” is not JSON.',
      hint: 'For example ?q={"limit":10}, URL-encoded.',
      cause: error,
    });
  }
  const parsed = RowsQuery.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({
    path: ['q', ...issue.path].join('.'),
    message: issue.message,
  }));
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `The query “q” is not as the contract says: ${issues[0]?.path}: ${issues[0]?.message}.`,
    hint: 'The contract is at /api/docs.',
    issues,
    cause: parsed.error,
  });
}

export function rowRoutes(ports: Ports): Handlers<RowRoutes> {
  const answer = async (
    table: string,
    query: RowsQuery,
    { format, signal }: { format: string; signal: AbortSignal },
  ): Promise<ArrowReply> => {
    const { stream, resolved } = await readRows(ports, { table, query }, { signal });
    return { stream, immutableTag: immutableTag(resolved, [query, format]) };
  };
  return {
    rowsGet: ({ params, query, signal }) =>
      answer(params.table, parseQuery(query.q), { format: query.format, signal }),
    rowsPost: ({ params, query, body, signal }) =>
      answer(params.table, body, { format: query.format, signal }),
    countRows: ({ params, body, signal }) => countRows(ports, { table: params.table, ...body }, { signal }),
    locateRow: ({ params, body, signal }) => locateRow(ports, { table: params.table, body }, { signal }),
    async groupRows({ params, query, body, signal }) {
      const { stream, resolved } = await groupRows(ports, { table: params.table, body }, { signal });
      return { stream, immutableTag: immutableTag(resolved, [body, query.format]) };
    },
  };
}
