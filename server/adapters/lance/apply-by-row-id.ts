import { AppError } from '#shared/api/problem.ts';
import { quoteText } from '#shared/sql/literal.ts';
import { arrow, type Data } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { assertCounts, commit, type Step } from './apply-commit.ts';
import { idPredicate, planDeletesById } from './apply-deletes.ts';
import { castExpression } from './write-cast.ts';
import { columnsOfFile, readFile } from './write-files.ts';
import type { WriteTarget } from './write-target.ts';

const { Type } = arrow;

const idColumn = '_rowid';
const maxUpdates = 100;
const idsPerUpdate = 20_000;

const needsKey = ({ table }: WriteTarget, why: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `${table} has no row key, and without one ${why}.`,
    hint: `Declare the columns that tell its rows apart: PATCH /api/v1/tables/${table} with {"key": […]}.`,
  });

/**
 * Changes of a table without a key, by row id: an update for each different set of values, then the new rows, then the
 * deletes. UNSUPPORTED where the values are too many or cannot be written as text.
 */
export async function planRowIdSteps(
  target: WriteTarget,
  changeset: Changeset,
  signal: AbortSignal,
): Promise<Step[]> {
  signal.throwIfAborted();
  const updates = groupUpdates(target, changeset.updates);
  const inserts = changeset.inserts.map(readFile).map(
    (file): Step => ({
      name: 'add rows',
      operation: 'append',
      run: () => commit(target, () => target.handle.add(file)),
    }),
  );
  const deletes =
    changeset.deletes === null
      ? []
      : planDeletesById(target, idsOf(columnsOfFile(readFile(changeset.deletes))));
  return [...updates.flatMap((group) => updateSteps(target, group)), ...inserts, ...deletes];
}

interface UpdateGroup {
  valuesSql: Record<string, string>;
  ids: number[];
}

const idsOf = (columns: ReadonlyMap<string, Data>): Float64Array =>
  Float64Array.from(columns.get(idColumn)!.values as BigUint64Array, Number);

/** Rows that get the same values, over all files. */
function groupUpdates(target: WriteTarget, files: readonly Uint8Array[]): UpdateGroup[] {
  const byRow = new Map<number, Record<string, string>>();
  for (const columns of files.map(readFile).map(columnsOfFile)) {
    const ids = idsOf(columns);
    for (const [name, data] of columns) {
      if (name === idColumn) continue;
      for (const [row, id] of ids.entries()) {
        const values = byRow.get(id) ?? {};
        values[name] = literalOf(target, name, data, row);
        byRow.set(id, values);
      }
    }
  }
  const groups = new Map<string, UpdateGroup>();
  for (const [id, valuesSql] of byRow) {
    const text = JSON.stringify(Object.entries(valuesSql).sort());
    const group = groups.get(text) ?? { valuesSql, ids: [] };
    group.ids.push(id);
    groups.set(text, group);
    if (groups.size > maxUpdates)
      throw needsKey(target, `rows can get at most ${maxUpdates} different sets of values at once`);
  }
  return [...groups.values()];
}

function updateSteps(target: WriteTarget, { valuesSql, ids }: UpdateGroup): Step[] {
  const sorted = Float64Array.from(ids).sort();
  const steps: Step[] = [];
  for (let start = 0; start < sorted.length; start += idsPerUpdate) {
    const some = sorted.subarray(start, start + idsPerUpdate);
    steps.push({
      name: 'update rows',
      operation: 'update',
      run: async () => {
        const { rowsUpdated } = await commit(target, () =>
          target.handle.update({ where: idPredicate(some), valuesSql }),
        );
        assertCounts(target, 'updated', rowsUpdated, some.length);
      },
    });
  }
  return steps;
}

const literalTypes: ReadonlySet<number> = new Set([
  Type.Bool,
  Type.Int,
  Type.Float,
  Type.Decimal,
  Type.Utf8,
  Type.LargeUtf8,
  Type.Timestamp,
  Type.Date,
  Type.Time,
]);

/** A cell as an expression in Lance's dialect that gives exactly it. */
function literalOf(target: WriteTarget, name: string, data: Data, row: number): string {
  const { type } = data;
  if (type.typeId === Type.List && literalTypes.has(type.children[0]!.type.typeId))
    return castExpression(listLiteral(data, row), type);
  if (!literalTypes.has(type.typeId)) throw needsKey(target, `cells of “${name}” (${type}) cannot be set`);
  const cell = dataCellToJson(data, row);
  return castExpression(cell === null ? 'null' : quoteText(castText(type.typeId, cell)), type);
}

/** DataFusion reads moments without the mark of their zone as moments of it. */
function castText(typeId: number, cell: unknown): string {
  const text = String(cell);
  if (typeId !== Type.Float) return text;
  return text === 'Infinity' ? 'inf' : text === '-Infinity' ? '-inf' : text;
}

function listLiteral(data: Data, row: number): string {
  const cell = dataCellToJson(data, row);
  if (!Array.isArray(cell)) return 'null';
  const item = data.type.children[0]!.type;
  return `make_array(${cell.map((part) => castExpression(part === null ? 'null' : quoteText(castText(item.typeId, part)), item)).join(', ')})`;
}
