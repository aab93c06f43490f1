import { useQuery } from '@tanstack/react-query';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { callJson } from '../../api/index.ts';
import { pinnedText } from '../branches/index.ts';
import type { EditorKind } from './model/editor-kind.ts';

const noValues: readonly string[] = [];

/** The commonest values of a column of labels or tags, asked when its editor opens. */
export function useSuggestions(
  table: string,
  ref: PinnedRef,
  column: Pick<ColumnInfo, 'name'>,
  kind: EditorKind | null,
): readonly string[] {
  const refText = pinnedText(ref.branch, ref.version);
  const { data } = useQuery({
    queryKey: ['table', table, 'suggestions', ref.branch, column.name],
    queryFn: async ({ signal }) => {
      const answer = await callJson('profile', {
        params: { table },
        body: { ref: refText, columns: [column.name] },
        signal,
      });
      const top = answer.columns.find(({ name }) => name === column.name)?.top ?? [];
      return top.flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));
    },
    enabled: kind === 'label' || kind === 'tags',
    staleTime: 5 * 60_000,
    retry: false,
  });
  return data ?? noValues;
}
