import type { ImportColumn } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import type { ColumnRole } from '#shared/domain/columns.ts';
import { type FieldFacts, formatFieldFacts, parseFieldFacts } from '#shared/domain/field-facts.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { arrow, type DataType, type Field, type Schema } from '../../../arrow/arrow.ts';
import { blobField, isBlobField } from '../media/blob-column.ts';
import type { ColumnFinding } from './column-findings.ts';
import { planNames } from './column-names.ts';
import {
  type Convert,
  toBlobs,
  toFixedSizeList,
  toPlainValues,
  toTextNulls,
  toWideDictionary,
  unwrapBlobs,
  withoutNestedDictionaries,
} from './convert-column.ts';

export const maxColumns = 5_000;

export interface ColumnStep {
  /** The position in the source. */
  from: number;
  field: Field;
  convert: Convert | null;
}

export interface ColumnPlan {
  steps: ColumnStep[];
  /** Of the table, with the hidden key where one is added. */
  schema: Schema;
  /** Names of the key columns in the table. */
  key: string[];
  /** The key comes from metadata of the source, not from a person. */
  isKeyInherited: boolean;
  hasHiddenKey: boolean;
  hasBlobs: boolean;
  notices: string[];
}

export interface PlanInput {
  label: string;
  schema: Schema;
  findings: readonly ColumnFinding[];
  /** Names in the source or in the table. */
  key: readonly string[] | null;
  columns?: readonly ImportColumn[];
  description?: string;
  /** Promises of the first rows that later rows broke: names in the source. */
  broken: ReadonlySet<string>;
  ignoresInheritedKey: boolean;
}

const invalid = (label: string, message: string, hint: string): AppError =>
  new AppError({ code: 'INVALID_FILE', message: `${label}: ${message}`, hint });

interface Taken {
  from: number;
  wanted: ImportColumn | undefined;
}

/** Which columns of the source are taken, in the table's order. */
function chooseColumns({ label, schema, columns = [] }: PlanInput): Taken[] {
  const names = schema.fields.map((field) => field.name);
  const wantedAt = columns.map((wanted) => {
    const from = names.indexOf(wanted.from);
    if (from === -1)
      throw invalid(
        label,
        `there is no column “${wanted.from}”.`,
        didYouMean(wanted.from, names) ?? `Its columns are ${names.slice(0, 20).join(', ')}.`,
      );
    return { from, wanted };
  });
  const named = new Set(wantedAt.map(({ from }) => from));
  const others = names.flatMap((_, from) => (named.has(from) ? [] : [{ from, wanted: undefined }]));
  return [...wantedAt.filter(({ wanted }) => !wanted.drop), ...others];
}

const setFacts = (metadata: Map<string, string>, facts: Partial<FieldFacts>): void => {
  for (const [key, value] of Object.entries(formatFieldFacts(facts)))
    if (value !== null) metadata.set(key, value);
};

/** Facts that travel with a column from file to table, and those that the import gives it. */
function factsOf(
  source: Field,
  wanted: ImportColumn | undefined,
  role: ColumnRole | undefined,
): Map<string, string> {
  const { role: ownRole, description, tags, isHidden } = parseFieldFacts(source.metadata);
  const facts = new Map<string, string>();
  setFacts(facts, {
    role: wanted?.role ?? ownRole ?? role ?? null,
    description: wanted?.description ?? description,
    tags: wanted?.tags ?? tags,
    ...((wanted?.hidden ?? isHidden) === true ? { isHidden: true } : {}),
  });
  return facts;
}

interface Converted {
  type: DataType;
  convert: Convert | null;
  role?: ColumnRole;
  isBlob?: boolean;
  notice?: string;
}

const isJson = (field: Field): boolean =>
  ['arrow.json', 'lance.json'].includes(field.metadata.get('ARROW:extension:name') ?? '');

/** The type that the table holds a column under. */
function convertType(label: string, field: Field, finding: ColumnFinding, isBroken: boolean): Converted {
  const { type, name } = field;
  if (isBlobField(field)) return { type, convert: unwrapBlobs, isBlob: true };
  if (finding.blobRole) return { type, convert: toBlobs, isBlob: true, role: finding.blobRole };
  if (arrow.DataType.isList(type) && finding.vectorSize !== undefined && !isBroken) {
    const item = type.children[0]!;
    const fixed = new arrow.FixedSizeList(finding.vectorSize, new arrow.Field('item', item.type, false));
    return { type: fixed, convert: toFixedSizeList(name, fixed), role: 'vector' };
  }
  if (arrow.DataType.isDictionary(type)) {
    const isText = arrow.DataType.isUtf8(type.dictionary) || arrow.DataType.isLargeUtf8(type.dictionary);
    if (!isText) return { type: type.dictionary, convert: toPlainValues };
    const wide = new arrow.Dictionary(type.dictionary, new arrow.Int32());
    return { type: wide, convert: toWideDictionary(wide) };
  }
  if (arrow.DataType.isNull(type))
    return {
      type: new arrow.Utf8(),
      convert: toTextNulls,
      notice: `The column “${name}” has only nulls, and no type; it is a text column now.`,
    };
  if (arrow.DataType.isInterval(type) || arrow.DataType.isUnion(type))
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${label}: the column “${name}” is of the type ${type}, which tables cannot hold.`,
      hint: 'Cast it to text or to a duration, then import again.',
    });
  const plain = withoutNestedDictionaries(type);
  return {
    type: plain?.type ?? type,
    convert: plain?.convert ?? null,
    role: isJson(field) ? 'json' : undefined,
  };
}

/** The key that a source says it has, as a table that was exported does; in its order. */
function inheritedKey(schema: Schema): string[] {
  const said = schema.fields
    .map((field) => ({ name: field.name, position: parseFieldFacts(field.metadata).keyPosition }))
    .filter((entry): entry is { name: string; position: number } => entry.position !== null)
    .sort((a, b) => a.position - b.position)
    .map(({ name }) => name);
  if (said.length > 0) return said;
  return schema.fields.some(isHiddenKey) ? [hiddenKeyColumn] : [];
}

/** The hidden key of a table that went through a format without metadata. */
const isHiddenKey = ({ name, type }: Field): boolean =>
  name === hiddenKeyColumn && arrow.DataType.isInt(type) && type.bitWidth === 64;

/** Positions in `taken` of the columns that a key names, by their names before or after. */
function findKey(
  input: PlanInput,
  key: readonly string[],
  taken: readonly Taken[],
  names: readonly string[],
): number[] {
  return key.map((wanted) => {
    const at =
      names.indexOf(wanted) !== -1
        ? names.indexOf(wanted)
        : taken.findIndex(({ from }) => input.schema.fields[from]!.name === wanted);
    if (at === -1)
      throw invalid(
        input.label,
        `the key column “${wanted}” is not there.`,
        didYouMean(wanted, names) ?? `The columns are ${names.slice(0, 20).join(', ')}.`,
      );
    return at;
  });
}

function assertKeyType(label: string, name: string, type: DataType): void {
  const { DataType } = arrow;
  const isFine =
    DataType.isInt(type) ||
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isTimestamp(type) ||
    DataType.isDate(type) ||
    DataType.isFixedSizeBinary(type) ||
    DataType.isBinary(type);
  if (!isFine)
    throw invalid(
      label,
      `the column “${name}” (${type}) cannot be a key.`,
      'A key is a text, a whole number, a date or a time.',
    );
}

/** Decides the table's columns: order, names, types, facts and key. Throws INVALID_FILE or UNSUPPORTED naming the column. */
export function planColumns(input: PlanInput): ColumnPlan {
  const { label, schema, findings, broken } = input;
  const taken = chooseColumns(input);
  if (taken.length === 0) throw invalid(label, 'there are no columns.', 'A table needs at least one column.');
  if (taken.length > maxColumns)
    throw invalid(
      label,
      `there are ${taken.length.toLocaleString('en')} columns; a table has at most ${maxColumns.toLocaleString('en')}.`,
      'Put values of the same kind into one list or vector column.',
    );
  const ownKey = input.key ?? (input.ignoresInheritedKey ? [] : inheritedKey(schema));
  const hasHiddenKey = ownKey.length === 0;
  const { names, notices } = planNames(
    taken.map(({ from, wanted }) => wanted?.name ?? schema.fields[from]!.name),
    !hasHiddenKey,
  );
  const keyAt = findKey(input, ownKey, taken, names);
  const steps = taken.map(({ from, wanted }, index): ColumnStep & { isBlob: boolean } => {
    const source = schema.fields[from]!;
    const converted = convertType(label, source, findings[from] ?? {}, broken.has(source.name));
    if (converted.notice) notices.push(converted.notice);
    const position = keyAt.indexOf(index);
    if (position !== -1) assertKeyType(label, names[index]!, converted.type);
    const facts = factsOf(source, wanted, converted.role);
    if (position !== -1)
      setFacts(facts, { keyPosition: position + 1, ...(isHiddenKey(source) ? { isHidden: true } : {}) });
    const name = names[index]!;
    const field = converted.isBlob
      ? blobField(name, facts)
      : new arrow.Field(name, converted.type, position === -1, facts);
    return { from, field, convert: converted.convert, isBlob: converted.isBlob === true };
  });
  const tableDescription =
    input.description ??
    schema.fields
      .map((field) => parseFieldFacts(field.metadata).tableDescription)
      .find((text) => text !== '') ??
    '';
  if (tableDescription !== '') setFacts(steps[0]!.field.metadata, { tableDescription });
  const checks = schema.fields
    .map((field) => parseFieldFacts(field.metadata).checks)
    .find((text) => text !== '');
  const fields = steps.map(({ field }) => field);
  if (hasHiddenKey) {
    const facts = new Map<string, string>();
    setFacts(facts, { keyPosition: 1, isHidden: true });
    fields.push(new arrow.Field(hiddenKeyColumn, new arrow.Int64(), false, facts));
  }
  if (checks !== undefined)
    setFacts(fields[hasHiddenKey ? fields.length - 1 : keyAt[0]!]!.metadata, { checks });
  return {
    steps,
    schema: new arrow.Schema(fields),
    key: hasHiddenKey ? [hiddenKeyColumn] : keyAt.map((at) => names[at]!),
    isKeyInherited: input.key === null && !hasHiddenKey,
    hasHiddenKey,
    hasBlobs: steps.some(({ isBlob }) => isBlob),
    notices,
  };
}
