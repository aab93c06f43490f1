import { useQuery } from '@tanstack/react-query';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { callArrow } from '../../api/index.ts';
import { createStaticSource } from '../grid/index.ts';
import { type KeyPlan, keysByCount, keysFromNames } from './model/plan-rows.ts';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface KeysAsked {
  table: string;
  detail: TableDetail;
  plan: KeyPlan;
  files: readonly File[];
}

/** Keys for new rows from files that no row of the branch has. */
export const useNewKeys = ({ table, detail, plan, files }: KeysAsked) =>
  useQuery({
    queryKey: ['table', table, 'new-keys', formatRef(detail.ref), plan, files.map(({ name }) => name)],
    queryFn: async ({ signal }): Promise<string[] | null> => {
      if (plan.kind === 'none' || plan.kind === 'impossible') return null;
      const { column } = plan;
      const ref = formatRef(detail.ref);
      const read = async (body: {
        where?: string;
        orderBy?: { column: string; desc: boolean }[];
        limit: number;
      }) => {
        const rows = await callArrow('rowsPost', {
          params: { table },
          body: { ref, columns: [column], ...body },
          signal,
        });
        const source = createStaticSource(rows);
        return Array.from({ length: rows.table.numRows }, (_none, at) => source.rowAt(at)?.value(column));
      };
      if (plan.kind === 'count') {
        const [largest] = await read({ orderBy: [{ column, desc: true }], limit: 1 });
        return keysByCount(files, largest === undefined || largest === null ? null : BigInt(String(largest)));
      }
      const names = keysFromNames(files, new Set());
      const tried = names.flatMap((name) => [name, `${name}-2`, `${name}-3`, `${name}-4`, `${name}-5`]);
      const where = `${ident(column)} in (${tried.map(quote).join(', ')})`;
      const taken = await read({ where, limit: 10_000 });
      return keysFromNames(files, new Set(taken.map(String)));
    },
    staleTime: 0,
    retry: false,
  });
