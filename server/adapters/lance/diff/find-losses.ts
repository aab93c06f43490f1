import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { DataType } from '../../../arrow/arrow.ts';
import { createCellsEqual } from '../../../arrow/cells-equal.ts';
import { tryCastExpression } from '../write-cast.ts';
import { scanRows } from '../write-read.ts';
import type { CompareSidesInput } from './comparison-parts.ts';
import type { SideDelta } from './find-delta.ts';
import type { ComparisonColumn } from './plan-schema.ts';
import { lossText, readAligned } from './read-aligned.ts';
import type { Side } from './side.ts';

/**
 * Cells that `into` set since base and that cannot be read as the type that `from` gave their column: a merge would lose
 * them. What base had in such cells, `from` has given up itself. Also cells of a column that both sides added, which
 * becomes as `into` has it.
 */
export async function findLosses(input: CompareSidesInput, intoDelta: SideDelta): Promise<string[]> {
  const losses: string[] = [];
  if (input.into === input.base) return losses;
  for (const { base, from, into } of input.columns.filter(({ retypedBy }) => retypedBy === 'into')) {
    if (base || !from || !into) continue;
    const lost = await findUncastable(input.from, from.name, { type: into.arrow.type, signal: input.signal });
    if (lost.length === 0) continue;
    const { branch } = input.from.ref;
    losses.push(lossText({ name: from.name, branch, type: into.type, count: lost.length }));
  }
  for (const column of input.columns.filter(({ retypedBy }) => retypedBy === 'from')) {
    const count = await countLosses(input, column, intoDelta);
    const { name } = column.into!;
    const { type } = column.from!;
    if (count > 0) losses.push(lossText({ name, branch: input.into.ref.branch, type, count }));
  }
  return losses;
}

/** Rows whose cell the type cannot hold, by their ids. */
async function findUncastable(
  { handle }: Side,
  name: string,
  { type, signal }: { type: DataType; signal: AbortSignal },
): Promise<Float64Array> {
  const quoted = quoteLanceIdent(name);
  const where = `${quoted} is not null and ${tryCastExpression(quoted, type)} is null`;
  return (await scanRows(handle, {}, { where, signal })).ids;
}

async function countLosses(
  { base, into, signal }: CompareSidesInput,
  column: ComparisonColumn,
  { sideIdOf }: SideDelta,
): Promise<number> {
  const type = column.from!.arrow.type;
  const [wasName, isName] = [column.base!.name, column.into!.name];
  const [was, is] = await Promise.all([
    findUncastable(base, wasName, { type, signal }),
    findUncastable(into, isName, { type, signal }),
  ]);
  if (is.length === 0) return 0;
  const baseOf = new Map(Array.from(was, (id) => [sideIdOf(id), id]));
  const known = is.filter((id) => baseOf.has(id));
  const [before, after] = await Promise.all([
    readAligned(
      base,
      Float64Array.from(known, (id) => baseOf.get(id)!),
      { names: [wasName], signal },
    ),
    readAligned(into, known, { names: [isName], signal }),
  ]);
  const isSame = createCellsEqual(before.get(wasName)!, after.get(isName)!);
  return is.length - known.filter((_id, at) => isSame(at, at)).length;
}
