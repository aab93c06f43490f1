import type { DiffSummary } from '#shared/api/edits.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { addressOf } from '../../../api/index.ts';
import { type MediaAddress, thumbSizeFor } from '../../grid/index.ts';
import type { Change } from '../model/change.ts';

export type SideName = 'base' | 'from' | 'into';

export interface SideMediaInput {
  table: string;
  summary: Pick<DiffSummary, SideName>;
  change: Pick<Change, 'rowIds'>;
  side: SideName;
  column: string;
}

/** Where the media of one side of a change is to be had; `null` where the side has no such row. */
export function mediaOfSide({ table, summary, change, side, column }: SideMediaInput): MediaAddress | null {
  const ref: PinnedRef | null = summary[side];
  const rowId = change.rowIds[side];
  if (!ref || rowId === null) return null;
  const params = { table, column, rowId };
  const refText = formatRef(ref);
  return {
    thumb: (sizePx) => addressOf('thumb', params, { ref: refText, size: thumbSizeFor(sizePx) }),
    blob: addressOf('blob', params, { ref: refText }),
  };
}
