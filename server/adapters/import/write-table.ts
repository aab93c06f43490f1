import { AppError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import type { RowSource } from '../../arrow/row-source.ts';
import type { StagedTable } from '../../arrow/staged-table.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ImportInput } from '../../ports/table-importer.ts';
import { groupBatches, tableOfGroup } from './batch-groups.ts';
import { applyColumns } from './columns/apply-columns.ts';
import { findInColumns } from './columns/column-findings.ts';
import { BrokenPromise } from './columns/convert-column.ts';
import { KeyCheck, type KeyFault } from './columns/key-check.ts';
import { type ColumnPlan, planColumns } from './columns/plan-columns.ts';

/** A key that only the source's metadata names turned out to be none. */
class BrokenKey extends Error {}

interface Attempt {
  broken: Set<string>;
  ignoresInheritedKey: boolean;
}

export interface Written {
  staged: StagedTable;
  rows: number;
  version: number;
  notices: string[];
}

const indexFromRows = 10_000;
const ordinal = (row: number): string => (row + 1).toLocaleString('en');

function keyError(source: RowSource, plan: ColumnPlan, fault: KeyFault): AppError {
  const place = (row: number) => source.locate?.(row) ?? { label: source.label, row };
  const names = plan.key.map((name) => `“${name}”`).join(' and ');
  if (fault.kind === 'null') {
    const { label, row } = place(fault.row);
    return new AppError({
      code: 'INVALID_FILE',
      message: `${label}, row ${ordinal(row)}: the key column “${fault.column}” is null.`,
      hint: 'Every row needs a key. Choose another column, or none.',
    });
  }
  const [first, second] = fault.rows.map(place) as [
    { label: string; row: number },
    { label: string; row: number },
  ];
  const where =
    first.label === second.label
      ? `rows ${ordinal(first.row)} and ${ordinal(second.row)}`
      : `row ${ordinal(first.row)} of ${first.label} and row ${ordinal(second.row)}`;
  return new AppError({
    code: 'INVALID_FILE',
    message: `${second.label}: the key ${names} is not unique: “${fault.value}” stands in ${where}.`,
    hint: 'Choose other key columns, or none.',
  });
}

const megabytes = (bytes: number): string => (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });

const toldEveryMs = 200;

/** The rows of a source, telling on the way how far it is. */
async function* readTelling(
  source: RowSource,
  { signal, onProgress }: CallContext,
): AsyncGenerator<RecordBatch> {
  let done = 0;
  let toldAtMs = 0;
  for await (const batch of source.batches(signal)) {
    done += batch.numRows;
    if (Date.now() - toldAtMs >= toldEveryMs) {
      toldAtMs = Date.now();
      const message = `Importing: ${megabytes(source.bytesRead())} of ${megabytes(source.sizeBytes)} MB read`;
      onProgress?.({ done, total: source.rowCount, unit: 'rows', message });
    }
    yield batch;
  }
}

/** A key column that Lance can index, if it is worth it: for many rows, and where blobs must not be copied by an edit. */
function indexFor(plan: ColumnPlan, rows: number): string | null {
  const [name, ...others] = plan.key;
  const field = plan.schema.fields.find((entry) => entry.name === name);
  if (!name || !field || others.length > 0 || rows === 0 || arrow.DataType.isBinary(field.type)) return null;
  return rows > indexFromRows || plan.hasBlobs ? name : null;
}

async function writeOnce(
  source: RowSource,
  input: ImportInput,
  stage: (schema: Schema) => StagedTable,
  context: CallContext,
  attempt: Attempt,
): Promise<Written> {
  const groups = groupBatches(readTelling(source, context));
  let staged: StagedTable | null = null;
  let pending: Promise<void> = Promise.resolve();
  try {
    let group = await groups.next();
    const firstBatches: RecordBatch[] = group.done ? [] : group.value;
    const plan = planColumns({
      label: source.label,
      schema: source.schema,
      findings: findInColumns(source.schema, firstBatches),
      key: input.key,
      columns: input.options.columns,
      description: input.options.description,
      ...attempt,
    });
    const keys = plan.hasHiddenKey ? null : new KeyCheck(plan.key);
    const fail = (fault: KeyFault): never => {
      throw plan.isKeyInherited ? new BrokenKey() : keyError(source, plan, fault);
    };
    staged = stage(plan.schema);
    const table = staged;
    let rows = 0;
    while (!group.done) {
      const batches = group.value.map((batch) => {
        const applied = applyColumns(plan, batch, rows);
        const fault = keys?.add(applied);
        if (fault) fail(fault);
        rows += batch.numRows;
        return applied;
      });
      const wanted = tableOfGroup(plan.schema, batches);
      await pending;
      context.signal.throwIfAborted();
      pending = table.add(wanted);
      pending.catch(() => undefined);
      group = await groups.next();
    }
    await pending;
    const fault = await keys?.finish(() => table.scan(plan.key));
    if (fault) fail(fault);
    context.signal.throwIfAborted();
    context.onProgress?.({ done: rows, total: rows, unit: 'rows', message: 'Finishing' });
    const { version } = await table.finish({ index: indexFor(plan, rows), hasBlobs: plan.hasBlobs });
    return { staged: table, rows, version, notices: plan.notices };
  } catch (error) {
    await groups.return(undefined).catch(() => undefined);
    await pending.catch(() => undefined);
    await staged?.discard();
    throw error;
  }
}

/**
 * Writes the rows of a source into a staged table. What the first rows promise (vectors of one length, a key that the
 * file names) may turn out wrong later; then the writing begins again without it.
 */
export async function writeTable(
  source: RowSource,
  input: ImportInput,
  stage: (schema: Schema) => StagedTable,
  context: CallContext,
): Promise<Written> {
  const attempt: Attempt = { broken: new Set(), ignoresInheritedKey: false };
  for (;;) {
    try {
      const written = await writeOnce(source, input, stage, context, attempt);
      if (attempt.ignoresInheritedKey)
        written.notices.push(
          'The key that the file names is not unique; the table has a hidden key of its own.',
        );
      return written;
    } catch (error) {
      if (error instanceof BrokenPromise && !attempt.broken.has(error.column))
        attempt.broken.add(error.column);
      else if (error instanceof BrokenKey) attempt.ignoresInheritedKey = true;
      else throw error;
    }
  }
}
