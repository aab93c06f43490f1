import { Scissors } from 'lucide-react';
import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { Selection } from '#shared/domain/selection.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button } from '../../../ui/index.ts';
import { type GridColumn, type RowSource, useRowsState } from '../../grid/index.ts';
import { detectInTable, layoutsFor } from '../model/annotation-sets.ts';
import { useMediaLook } from '../store.ts';
import { CropDialog, type CropScope } from './crop-dialog.tsx';

export interface SelectionCropsProps {
  table: string;
  detail: TableDetail;
  columns: readonly GridColumn[];
  source: RowSource;
  pinnedRef: string;
  /** Rows at the pinned ref. */
  selection: Selection;
  count: number;
}

const mostIds = 10_000;

/** Crops of the annotations of selected rows; nothing in tables that have no annotated pictures. */
export function SelectionCrops(props: SelectionCropsProps) {
  const { table, detail, columns, source, pinnedRef, selection, count } = props;
  useRowsState(source);
  const [look] = useMediaLook(table);
  const [isOpen, setOpen] = useState(false);
  const [wanted, setMedia] = useState<string | null>(null);
  const { layouts } = detectInTable(columns, detail, source);
  const drawn = layouts.filter(({ many }) => many !== 'picture');
  const medias = columns
    .filter(({ kind, role }) => kind === 'media' && role !== 'mask' && role !== 'audio' && role !== 'video')
    .map(({ name }) => name)
    .filter((name) => layoutsFor(drawn, name).length > 0);
  const media = wanted ?? medias[0];
  const rows = rowsOf(selection);
  const whyNot =
    rows === null || ('ids' in rows && rows.ids.length > mostIds)
      ? `At most ${formatCount(mostIds)} rows can be named one by one: select by a filter`
      : null;
  useCommands([
    {
      id: 'media.cropSelection',
      title: 'Crops of the annotations of the selected rows…',
      group: 'Selection',
      whyNot: () => (media === undefined ? 'This table has no annotated pictures' : whyNot),
      run: () => setOpen(true),
    },
  ]);
  if (media === undefined) return null;
  const scope: CropScope | null = rows && {
    id: 'selection',
    label: `The annotations of ${formatOf(count, 'selected row')}, each one a crop.`,
    verb: `Cut those of ${formatOf(count, 'row')}`,
    isFiltered: true,
    body: { rows },
  };
  return (
    <>
      <Button
        size="s"
        icon={<Scissors />}
        whyNot={whyNot}
        tip="The annotations of these rows as rows of their own"
        onClick={() => setOpen(true)}
      >
        Crops…
      </Button>
      {isOpen && scope && (
        <CropDialog
          table={table}
          pinnedRef={pinnedRef}
          media={media}
          medias={medias}
          onMedia={setMedia}
          sets={layoutsFor(drawn, media).map((layout) => ({ name: layout.column, layout }))}
          scopesOf={() => [scope]}
          look={look}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The selection as crops name it; null where it is by keys. */
function rowsOf(selection: Selection): CropScope['body']['rows'] | null {
  if ('ids' in selection) return { ids: [...selection.ids] };
  if ('where' in selection) return { where: selection.where };
  return 'all' in selection ? { all: true } : null;
}
