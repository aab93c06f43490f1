import type { Table } from '@lancedb/lancedb';
import { guessRole } from '#shared/domain/column-role.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo, IndexInfo } from '#shared/domain/columns.ts';
import { type FieldFacts, parseFieldFacts } from '#shared/domain/field-facts.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import type { Field, Schema } from '../../arrow/arrow.ts';
import type { Pinned, TableFacts } from '../../ports/table-reader.ts';
import { isReadableName, toColumnType } from './column-type-arrow.ts';
import { readIndexes } from './indexes.ts';
import { isLegacyBlob, type SampledColumn, sampleColumns, sampleKey } from './sample-columns.ts';

/** Declared key columns in their order, else the hidden key that Curio gives its tables. */
export function keyOf(schema: Schema): string[] {
  const declared = schema.fields
    .map((field) => ({ name: field.name, position: parseFieldFacts(field.metadata).keyPosition }))
    .filter((column) => column.position !== null)
    .sort((a, b) => a.position! - b.position!);
  if (declared.length > 0) return declared.map(({ name }) => name);
  return schema.fields.some(({ name }) => name === hiddenKeyColumn) ? [hiddenKeyColumn] : [];
}

export const isHiddenColumn = (field: Field): boolean =>
  parseFieldFacts(field.metadata).isHidden ?? field.name === hiddenKeyColumn;

function columnOf(
  field: Field,
  place: {
    key: string[];
    sample?: SampledColumn;
    indexes: IndexInfo[];
    linkRole: DescribeInput['linkRole'];
  },
): ColumnInfo {
  const facts: FieldFacts = parseFieldFacts(field.metadata);
  const type = toColumnType(field);
  const index = place.indexes.find(({ column }) => column === field.name);
  const role =
    facts.role ??
    (place.key.includes(field.name)
      ? 'key'
      : (place.linkRole(place.sample?.texts ?? []) ??
        guessRole({ name: field.name, type, sample: place.sample })));
  return {
    name: field.name,
    type: formatColumnType(type),
    nullable: field.nullable,
    role,
    description: facts.description,
    tags: facts.tags,
    ...(isHiddenColumn(field) ? { hidden: true } : {}),
    ...(index ? { index: index.name } : {}),
    ...(facts.annotations ? { annotations: facts.annotations } : {}),
  };
}

function noticesOf({
  schema,
  key,
  hasStableRowIds,
}: {
  schema: Schema;
  key: string[];
  hasStableRowIds: boolean;
}): string[] {
  const legacy = schema.fields.filter(isLegacyBlob).map(({ name }) => name);
  const unreadable = schema.fields.map(({ name }) => name).filter((name) => !isReadableName(name));
  return [
    ...(key.length > 0
      ? []
      : [
          'No column is declared as the row key, so branches can be compared but not merged. Declare the key in the table’s settings, or import the table anew: Curio then gives it one.',
        ]),
    ...(hasStableRowIds
      ? []
      : [
          'Another program made this table without stable row ids: a row gets a new id when it changes, so links to single rows may break. Import it anew to give it stable ids.',
        ]),
    ...unreadable.map(
      (name) =>
        `The column ${name} cannot be read: Lance cannot be asked for its name. Rename it with the program that wrote the table.`,
    ),
    ...legacy.map(
      (name) =>
        `The bytes of the column ${name} are in Lance’s older blob format, which cannot be read here. Rewrite the table with file version 2.2 to see them.`,
    ),
  ];
}

const hasThumb = (mediaType: string): boolean => /^(image|video|audio)\//.test(mediaType);

/** The first column of pictures, else the first whose media have posters or waveforms. */
function previewOf(columns: ColumnInfo[], samples: Map<string, SampledColumn>): TableFacts['preview'] {
  const shown = columns.flatMap(({ name, role, hidden }) => {
    const { rowIds = [], mediaTypes = [] } = samples.get(name) ?? {};
    return !hidden && rowIds.length > 0 ? [{ name, role, rowIds, isMedia: mediaTypes.some(hasThumb) }] : [];
  });
  const column = shown.find(({ role }) => role === 'image') ?? shown.find(({ isMedia }) => isMedia);
  return column ? { column: column.name, rowIds: column.rowIds.map(String) } : null;
}

export interface DescribeInput extends Pinned {
  handle: Table;
  schema: Schema;
  uuid: string;
  hasStableRowIds: boolean;
  /** Bytes of blobs that lie beside the data files. */
  blobBytes: number;
  /** Samples of versions before; those of this one are added. */
  before: Map<string, SampledColumn>;
  /** What the texts of a column name, where they name media in a registered place. */
  linkRole: (texts: readonly string[]) => 'image' | 'video' | 'audio' | 'blob' | null;
  signal: AbortSignal;
}

/** All facts of a table at a pinned ref, with roles guessed from a few cells where nobody gave one. */
export async function describeTable({
  handle,
  schema,
  uuid,
  hasStableRowIds,
  blobBytes,
  before,
  linkRole,
  signal,
}: DescribeInput): Promise<TableFacts> {
  const types = new Map(schema.fields.map((field) => [field.name, toColumnType(field)]));
  const [rows, stats, indexes] = await Promise.all([handle.countRows(), handle.stats(), readIndexes(handle)]);
  signal.throwIfAborted();
  const samples = await sampleColumns(handle, { fields: schema.fields, rows, before, signal });
  for (const [name, sample] of samples) before.set(sampleKey({ name, type: types.get(name)! }), sample);
  const key = keyOf(schema);
  const columns = schema.fields.map((field) =>
    columnOf(field, { key, sample: samples.get(field.name), indexes, linkRole }),
  );
  return {
    uuid,
    rows,
    bytes: stats.totalBytes + blobBytes,
    key,
    description:
      schema.fields
        .map((field) => parseFieldFacts(field.metadata).tableDescription)
        .find((text) => text !== '') ?? '',
    checks:
      schema.fields.map((field) => parseFieldFacts(field.metadata).checks).find((text) => text !== '') ?? '',
    columns,
    indexes,
    hasStableRowIds,
    notices: noticesOf({ schema, key, hasStableRowIds }),
    preview: previewOf(columns, samples),
  };
}
