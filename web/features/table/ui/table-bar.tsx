import { lazy, Suspense } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { PageTitle, Spacer, Tooltip } from '../../../ui/index.ts';
import { BranchBar } from '../../branches/index.ts';
import { SearchBox } from '../../search/index.ts';
import { TableSettingsAction } from './table-settings-action.tsx';

const ViewActions = lazy(() =>
  import('../../queries/index.ts').then((module) => ({ default: module.ViewActions })),
);

export interface TableBarProps {
  table: string;
  detail: TableDetail | undefined;
  view: TableView;
  setView: SetTableView;
  onRefChange: (refText: string) => void;
}

/** Which table, on which ref, and the search in it. */
export function TableBar({ table, detail, view, setView, onRefChange }: TableBarProps) {
  const hasText =
    detail?.columns.some((column) => /^(large_)?utf8$/.test(column.type) && !column.hidden) ?? true;
  return (
    <>
      <Tooltip text={detail?.description}>
        <span>
          <PageTitle>{table}</PageTitle>
        </span>
      </Tooltip>
      <BranchBar table={table} detail={detail} refText={view.refText} onRefChange={onRefChange} />
      <Spacer />
      <SearchBox
        text={view.search?.kind === 'text' ? view.search.text : ''}
        whyNot={hasText ? null : 'This table has no text to search in'}
        onSearch={(text, isFinal) =>
          setView(
            text
              ? {
                  search: { kind: 'text', text },
                  sort: [],
                  at: 0,
                  ...(view.view === 'history' ? { view: 'grid' } : {}),
                }
              : { search: null, at: 0 },
            {
              replace: !isFinal && view.search?.kind === 'text',
            },
          )
        }
      />
      {detail && (
        <Suspense fallback={null}>
          <ViewActions table={table} view={view} pinnedRef={formatRef(detail.ref)} />
        </Suspense>
      )}
      <TableSettingsAction table={table} />
    </>
  );
}
