import { AppError } from '#shared/api/problem.ts';
import { wire } from '#shared/api/wire.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { arrow, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { schemaOf, withFacts } from '../../../arrow/ipc.ts';
import { resolveDictionaries, withoutDictionaries } from '../../../arrow/resolve-dictionaries.ts';
import { streamOfTables } from '../../../arrow/stream-of-tables.ts';
import type { ByteStream, CallContext } from '../../../ports/call.ts';
import type { GroupsInput, RowsFacts } from '../../../ports/table-reader.ts';
import { findGroups, type Group } from '../permutation/find-groups.ts';
import type { Permutation } from '../permutation/permutation-file.ts';
import { createSortCollector } from '../permutation/sort-values.ts';
import { tokensOf } from '../permutation/value-token.ts';
import { outputSchemaOf } from './files-of-query.ts';
import { rowIdColumn } from './plan-columns.ts';
import type { RowsPlaces } from './read-rows.ts';
import { type TakeOptions, takeRows } from './take-rows.ts';

/** Rows read at once. */
const takenRows = 8_192;

/** The batches of the rows at positions of an order, dictionaries as their values. */
async function* takenAt(
  order: Permutation,
  positions: readonly number[],
  options: TakeOptions,
): AsyncGenerator<RecordBatch> {
  for (let at = 0; at < positions.length; at += takenRows) {
    const ids = await order.idsAt(positions.slice(at, at + takenRows));
    yield resolveDictionaries((await takeRows(ids, options)).batch);
  }
}

/**
 * The groups of equal values of the first column of the order, in that order, as an Arrow stream: `_rowid` of the first
 * row of each, its value, `_start` (its position in the result) and `_rows`. Reads the values of a few rows per group,
 * not of the table, once the order is kept.
 */
export async function groupRows(
  input: GroupsInput,
  context: CallContext,
  { home, tables, permutations }: RowsPlaces,
): Promise<ByteStream<RowsFacts>> {
  const startedAt = performance.now();
  const table = await tables.open(input, context);
  const { where, orderBy, maxGroups } = input;
  const { signal } = context;
  const place = { table: input.table, ref: input.ref, home };
  const order = await permutations.whole({ ...table, pinnedKey: table.key, place, where, orderBy, signal });
  const column = orderBy[0]!.column;
  const info = table.facts.columns.find(({ name }) => name === column);
  const type = info ? parseColumnType(info.type) : ({ kind: 'uint64' } as const);
  const selection = [...new Set([rowIdColumn, column])];
  const take: TakeOptions = { handle: table.handle, selection, place, signal };

  const tokensAt = async (positions: readonly number[]): Promise<string[]> => {
    const unique = [...new Set(positions)];
    const collector = createSortCollector(type, { desc: false, hasNullsFirst: false })!;
    for await (const batch of takenAt(order, unique, take))
      collector.add(batch.data.children[batch.schema.fields.findIndex(({ name }) => name === column)]!);
    const tokens = tokensOf(collector.take(), unique.length);
    const tokenAt = new Map(unique.map((position, i) => [position, tokens[i]!]));
    return positions.map((position) => tokenAt.get(position)!);
  };

  const groups = await findGroups({ count: order.count, maxGroups, tokensAt });
  if (!groups)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `“${column}” has more than ${maxGroups} different values among these rows.`,
      hint: 'Group by a column with fewer values, or filter first.',
    });
  const starts = groups.map(({ start }) => start);
  const lanceSchema = schemaOf(await outputSchemaOf(table.handle.query().select(selection), place));
  const schema = withFacts(groupSchema(withoutDictionaries(lanceSchema)), {
    [wire.ref]: formatRef(input.ref),
    [wire.total]: String(groups.length),
    [wire.scope]: `all ${order.count} rows`,
    [wire.engine]: 'lance',
    [wire.elapsedMs]: (performance.now() - startedAt).toFixed(1),
  });
  return {
    facts: { total: groups.length },
    chunks: streamOfTables(withCounts(takenAt(order, starts, take), groups, schema), schema),
  };
}

const groupSchema = ({ fields, metadata }: Schema): Schema =>
  new arrow.Schema(
    [...fields, ...['_start', '_rows'].map((name) => new arrow.Field(name, new arrow.Uint32(), false))],
    metadata,
  );

/** The first rows of groups, with where each group begins and how many rows it has. */
async function* withCounts(
  batches: AsyncIterable<RecordBatch>,
  groups: readonly Group[],
  schema: Schema,
): AsyncGenerator<RecordBatch> {
  let at = 0;
  for await (const batch of batches) {
    const some = groups.slice(at, at + batch.numRows);
    at += batch.numRows;
    const counts = [some.map(({ start }) => start), some.map(({ rows }) => rows)].map((values) =>
      arrow.makeData({
        type: new arrow.Uint32(),
        length: some.length,
        nullCount: 0,
        data: Uint32Array.from(values),
      }),
    );
    const children = [...batch.data.children, ...counts];
    yield new arrow.RecordBatch(
      schema,
      arrow.makeData({
        type: new arrow.Struct(schema.fields),
        length: batch.numRows,
        nullCount: 0,
        children,
      } as never) as never,
    );
  }
}
