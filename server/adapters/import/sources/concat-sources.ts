import { AppError } from '#shared/api/problem.ts';
import {
  arrow,
  type Data,
  type DataType,
  type Field,
  type RecordBatch,
  type Schema,
} from '../../../arrow/arrow.ts';
import { nullData } from '../../../arrow/null-data.ts';
import type { RowSource } from '../../../arrow/row-source.ts';

/** A type as a text, without what may differ from file to file: the width of a dictionary's keys. */
const nameOfType = (type: DataType): string =>
  arrow.DataType.isDictionary(type) ? `dictionary of ${type.dictionary}` : String(type);

const differs = (first: RowSource, other: RowSource, what: string): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: `${other.label} has other columns than ${first.label}: ${what}.`,
    hint: 'Files that become one table have the same columns and types.',
  });

/** Where the columns of the first source stand in another one. */
function matchColumns(first: RowSource, other: RowSource): number[] {
  const names = other.schema.fields.map((field) => field.name);
  const extra = names.find((name) => !first.schema.fields.some((field) => field.name === name));
  if (extra !== undefined) throw differs(first, other, `“${extra}” is new`);
  if (names.length !== first.schema.fields.length && new Set(names).size !== names.length)
    throw differs(first, other, 'a name stands twice');
  const isSameOrder = first.schema.fields.every((field, index) => field.name === names[index]);
  return first.schema.fields.map(({ name }, index) => {
    const at = isSameOrder ? index : names.indexOf(name);
    if (at === -1) throw differs(first, other, `“${name}” is missing`);
    return at;
  });
}

/** Each column with the type that it has in the first source that knows it: a file may have only untyped nulls. */
function uniteSchemas(sources: readonly RowSource[], positions: readonly number[][]): Schema {
  const first = sources[0]!;
  const fields = first.schema.fields.map((field, column) => {
    const all = sources.map((source, index) => source.schema.fields[positions[index]![column]!]!);
    const typed = all.find(({ type }) => !arrow.DataType.isNull(type)) ?? field;
    const oddAt = all.findIndex(
      ({ type }) => !arrow.DataType.isNull(type) && nameOfType(type) !== nameOfType(typed.type),
    );
    if (oddAt !== -1)
      throw differs(
        sources[all.indexOf(typed)]!,
        sources[oddAt]!,
        `“${field.name}” is ${all[oddAt]!.type} there, and ${typed.type} here`,
      );
    return new arrow.Field(field.name, typed.type, field.nullable, field.metadata);
  });
  return new arrow.Schema(fields, first.schema.metadata);
}

const isUntyped = (data: Data, field: Field): boolean =>
  arrow.DataType.isNull(data.type) && !arrow.DataType.isNull(field.type);

function arrange(batch: RecordBatch, schema: Schema, positions: readonly number[]): RecordBatch {
  const children = schema.fields.map((field, column) => {
    const data = batch.data.children[positions[column]!]!;
    return isUntyped(data, field) ? nullData(field.type, batch.numRows) : data;
  });
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children: children as never,
  });
  return new arrow.RecordBatch(schema, data as never);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The rows of several sources, one after the other. Throws INVALID_FILE naming the source whose columns differ. */
export function concatSources(sources: readonly RowSource[]): RowSource {
  const [first] = sources;
  if (!first)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'There is nothing to import.',
      hint: 'Name a file, a folder or an address.',
    });
  if (sources.length === 1) return first;
  const positions = sources.map((source) => matchColumns(first, source));
  const schema = uniteSchemas(sources, positions);
  const counts = sources.map((source) => source.rowCount);
  return {
    label: first.label,
    schema,
    rowCount: counts.every((count) => count !== null) ? sum(counts) : null,
    sizeBytes: sum(sources.map((source) => source.sizeBytes)),
    bytesRead: () => sum(sources.map((source) => source.bytesRead())),
    locate(row) {
      let start = 0;
      for (const source of sources) {
        if (source.rowCount === null || row < start + source.rowCount)
          return { label: source.label, row: row - start };
        start += source.rowCount;
      }
      return { label: first.label, row };
    },
    async *batches(signal) {
      for (const [index, source] of sources.entries())
        for await (const batch of source.batches(signal)) yield arrange(batch, schema, positions[index]!);
    },
    async close() {
      for (const source of sources) await source.close();
    },
  };
}
