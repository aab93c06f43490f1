import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { toInstant } from '#shared/domain/instant.ts';
import type { PendingCell } from '../../../state/pending-cells.ts';

const perMs = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 };

/** How rows will carry a value that an edit writes as JSON; `null` where that can only be seen once they arrive. */
export function toShownValue(value: unknown, type: string): { value: unknown } | null {
  if (value === null) return { value: null };
  const parsed = parseColumnType(type);
  switch (parsed.kind) {
    case 'utf8':
    case 'large_utf8':
    case 'bool':
    case 'json':
      return { value };
    case 'int64':
    case 'uint64':
      return { value: BigInt(value as string) };
    case 'timestamp': {
      const ms = toInstant(value);
      return ms === null ? null : { value: BigInt(Math.round(ms * perMs[parsed.unit])) };
    }
    case 'date32':
    case 'date64': {
      const ms = toInstant(value);
      return ms === null ? null : { value: ms };
    }
    case 'list':
    case 'large_list':
      return parsed.item.kind === 'utf8' ? { value } : null;
    default:
      return /^(u?int|float)/.test(parsed.kind) ? { value: Number(value) } : null;
  }
}

/** The cells that an edit sets on rows given by id, as they will read. */
export function pendingCellsOf(
  op: EditOp,
  columns: readonly Pick<ColumnInfo, 'name' | 'type'>[],
): Omit<PendingCell, 'version'>[] {
  if (op.op !== 'set' || !('ids' in op.rows)) return [];
  const { ids } = op.rows;
  return Object.entries(op.values).flatMap(([name, value]) => {
    const column = columns.find((one) => one.name === name);
    const shown = column ? toShownValue(value, column.type) : null;
    return shown ? ids.map((id) => ({ rowId: String(id), column: name, value: shown.value })) : [];
  });
}
