import type { TableDetail } from '#shared/api/tables.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import type { CropScope } from '../ui/crop-dialog.tsx';
import type { AnnotationSet } from './annotation-sets.ts';

/** What can be cut from the viewer: the selected annotation, those shown of the row, or those of the table. */
export function scopesOfRow({
  set,
  rowId,
  selected,
  detail,
}: {
  set: AnnotationSet | undefined;
  rowId: string;
  selected: { set: string; index: number } | null;
  detail: Pick<TableDetail, 'rows'>;
}): CropScope[] {
  if (!set) return [];
  const rows = { ids: [rowId] };
  const indexes = set.annotations.map(({ index }) => index);
  return [
    ...(selected?.set === set.name
      ? [
          {
            id: 'selected',
            label: 'The selected one',
            verb: 'Cut 1 crop',
            isFiltered: false,
            body: { rows, indexes: [selected.index] },
          },
        ]
      : []),
    {
      id: 'row',
      label: `The ${formatCount(indexes.length)} shown here`,
      verb: `Cut ${formatOf(indexes.length, 'crop')}`,
      isFiltered: false,
      body: { rows, indexes },
    },
    {
      id: 'table',
      label: `All of ${formatOf(detail.rows, 'row')}`,
      verb: 'Cut them all',
      isFiltered: true,
      body: { rows: { all: true } },
    },
  ];
}
