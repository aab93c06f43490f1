import { arrow, type Data, type Field, type Table } from '../../arrow/arrow.ts';
import { createCellsEqual } from '../../arrow/cells-equal.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { newNameIn, retypedName } from './apply-columns.ts';
import { isBlobField } from './column-type-arrow.ts';
import { buildRowFiles, buildSchemaFile, columnsOfFile, readFile, valueSqlKey } from './write-files.ts';
import { findRowsByKey, type Keys, keysOf } from './write-keys.ts';
import { readRowsById } from './write-read.ts';
import { type CellColumn, readCells } from './write-read-cells.ts';
import type { WriteTarget } from './write-target.ts';

type Version = Pick<WriteTarget, 'handle' | 'schema' | 'key'>;

export interface Remainder {
  changeset: Changeset;
  /** Some of it is there already. */
  hasLanded: boolean;
}

/** What is left to do of a changeset, of which a part may have been written to `now` since `before`. */
export async function remainderOf(
  now: Version,
  before: Version,
  changeset: Changeset,
  signal: AbortSignal,
): Promise<Remainder> {
  const { renameColumns: renames, retypeColumns = null } = changeset;
  const retyped = retypeColumns === null ? [] : readFile(retypeColumns).schema.fields;
  const work = { now, before, signal, renames, retyped: new Set(retyped.map(({ name }) => name)) };
  const columns = columnsLeft(now, changeset);
  const updates: RowsLeft[] = [];
  for (const file of changeset.updates) updates.push(await updatesLeft(work, file, changeset.addColumns));
  const deletes = changeset.deletes === null ? null : await rowsWithKey(work, changeset.deletes, true);
  const inserts: RowsLeft[] = [];
  if (now.key.length > 0)
    for (const file of changeset.inserts) inserts.push(await rowsWithKey(work, file, false));
  else if (changeset.inserts.length > 0) inserts.push(...(await unkeyedInsertsLeft(work, changeset)));
  return {
    changeset: {
      ...columns.changeset,
      updates: updates.flatMap(({ files }) => files),
      inserts: inserts.flatMap(({ files }) => files),
      deletes: deletes?.files[0] ?? null,
    },
    hasLanded:
      columns.hasLanded ||
      [...updates, ...inserts, ...(deletes ? [deletes] : [])].some(({ hasLanded }) => hasLanded),
  };
}

interface Work {
  now: Version;
  before: Version;
  signal: AbortSignal;
  renames: Changeset['renameColumns'];
  retyped: ReadonlySet<string>;
}

interface RowsLeft {
  files: Uint8Array[];
  hasLanded: boolean;
}

function columnsLeft(
  { schema }: Version,
  { addColumns, renameColumns, retypeColumns = null, dropColumns, setFacts = {} }: Changeset,
) {
  const names = new Set(schema.fields.map(({ name }) => name));
  const added = addColumns === null ? [] : readFile(addColumns).schema.fields;
  const toAdd = added.filter(({ name }) => !names.has(name));
  const toRename = renameColumns.filter(({ name, to }) => names.has(name) && !names.has(to));
  const toDrop = dropColumns.filter((name) => names.has(name));
  const retyped = retypeColumns === null ? [] : readFile(retypeColumns).schema.fields;
  const newName = newNameIn(renameColumns);
  const typeOf = (wanted: string) => schema.fields.find(({ name }) => newName(name) === wanted)?.type;
  const toRetype = retyped.filter(
    ({ name, type }) => names.has(retypedName(name)) || String(typeOf(name)) !== String(type),
  );
  const facts = factsLeft(schema.fields, setFacts);
  const hasLanded =
    facts.hasLanded ||
    toRetype.length < retyped.length ||
    toRetype.some(({ name }) => names.has(retypedName(name))) ||
    toAdd.length < added.length ||
    toRename.length < renameColumns.length ||
    toDrop.length < dropColumns.length;
  return {
    changeset: {
      addColumns: toAdd.length === 0 ? null : buildSchemaFile(toAdd),
      renameColumns: toRename,
      retypeColumns: toRetype.length === 0 ? null : buildSchemaFile(toRetype),
      dropColumns: toDrop,
      setFacts: facts.left,
    },
    hasLanded,
  };
}

function factsLeft(fields: readonly Field[], wanted: NonNullable<Changeset['setFacts']>) {
  const left: NonNullable<Changeset['setFacts']> = {};
  let hasLanded = false;
  for (const [name, facts] of Object.entries(wanted)) {
    const metadata = fields.find((field) => field.name === name)?.metadata;
    const open = Object.entries(facts).filter(([fact, value]) => (metadata?.get(fact) ?? null) !== value);
    if (open.length < Object.keys(facts).length) hasLanded = true;
    if (open.length > 0) left[name] = Object.fromEntries(open);
  }
  return { left, hasLanded };
}

const idColumn = '_rowid';

const rowsOf = (file: Table) => ({
  columns: columnsOfFile(file),
  fields: file.schema.fields,
  length: file.numRows,
});

/** Finds the rows of a file in a version: their ids, in the order of the file; -1 for those that are not there. */
async function findRows(
  { handle, key }: Version,
  { columns, fields, length }: { columns: ReadonlyMap<string, Data>; fields: Field[]; length: number },
  { renames, signal }: Pick<Work, 'renames' | 'signal'>,
): Promise<Float64Array> {
  const ids = new Float64Array(length).fill(-1);
  if (key.length === 0) {
    const wanted = Float64Array.from(columns.get(idColumn)!.values as BigUint64Array, Number);
    const there = new Set((await readRowsById(handle, wanted, {}, signal)).ids);
    for (const [row, id] of wanted.entries()) if (there.has(id)) ids[row] = id;
    return ids;
  }
  const newName = newNameIn(renames);
  const planned = key.map((name) => fields.find((field) => field.name === newName(name))!);
  const keys = {
    fields: planned.map(({ type, nullable }, at) => new arrow.Field(key[at]!, type, nullable)),
    columns: planned.map(({ name }) => columns.get(name)!),
    length,
  };
  for (const { id, at } of await findRowsByKey(handle, keys, signal)) ids[at] = id;
  return ids;
}

/** Rows of a file that are there (or are not) now. */
async function rowsWithKey(work: Work, bytes: Uint8Array, isThere: boolean): Promise<RowsLeft> {
  const { now, renames } = work;
  const file = readFile(bytes);
  const columns = columnsOfFile(file);
  const ids = await findRows(now, { columns, fields: file.schema.fields, length: file.numRows }, work);
  const rows = Int32Array.from(ids.keys()).filter((row) => ids[row]! >= 0 === isThere);
  return {
    files:
      rows.length === 0 ? [] : [cutFile(now.key.map(newNameIn(renames)), file.schema.fields, columns, rows)],
    hasLanded: rows.length < file.numRows,
  };
}

function cutFile(
  key: readonly string[],
  fields: Field[],
  columns: ReadonlyMap<string, Data>,
  rows: Int32Array,
): Uint8Array {
  const names = key.length === 0 && fields.some(({ name }) => name === idColumn) ? [idColumn] : key;
  const cells = new Map(fields.map(({ name }) => [name, gather(columns.get(name)!, rows)]));
  const keyFields = names.map((name) => fields.find((field) => field.name === name)!);
  const others = fields.filter(({ name }) => !names.includes(name));
  const keys: Keys | null = keyFields.length === 0 ? null : keysOf(keyFields, cells, rows.length);
  return buildRowFiles({
    keys,
    fields: others,
    cells: others.map(({ name }) => cells.get(name)!),
    length: rows.length,
    isWhole: true,
  })[0]!;
}

/** Updates that have not landed; a cell that is neither as before nor as planned was changed by others, and stays. */
async function updatesLeft(work: Work, bytes: Uint8Array, addColumns: Uint8Array | null): Promise<RowsLeft> {
  const { now, before, signal, renames, retyped } = work;
  const file = readFile(bytes);
  const { fields } = file.schema;
  const planned = columnsOfFile(file);
  const rowsOfFile = { columns: planned, fields, length: file.numRows };
  const idsNow = await findRows(now, rowsOfFile, work);
  const idsBefore = await findRows(before, rowsOfFile, work);
  const rows = Int32Array.from(idsNow.keys()).filter((row) => idsNow[row]! >= 0 && idsBefore[row]! >= 0);
  const keyNames = now.key.map(newNameIn(renames));
  const names = new Set(now.key.length === 0 ? [idColumn] : keyNames);
  const columns = fields.filter(({ name }) => !names.has(name));
  const computed = new Map(
    (addColumns === null ? [] : readFile(addColumns).schema.fields).map((field) => [
      field.name,
      field.metadata.get(valueSqlKey) ?? null,
    ]),
  );
  const reading = (version: Version): CellColumn[] =>
    columns.map((field) => cellColumn(field, version, { renames, computed, retyped }));
  const pick = (ids: Float64Array) => Float64Array.from(rows, (row) => ids[row]!);
  const cellsNow = await readCells(now, reading(now), pick(idsNow), signal);
  const cellsBefore = await readCells(before, reading(before), pick(idsBefore), signal);
  const isLeft = new Uint8Array(rows.length);
  /** Without stable row ids a row that was updated has another id. */
  let hasLanded = now.key.length === 0 && rows.length < file.numRows;
  const merged = columns.map((field, index) => {
    const plan = gather(planned.get(field.name)!, rows);
    const isDone = createCellsEqual(cellsNow[index]!, plan);
    const isAsBefore = createCellsEqual(cellsNow[index]!, cellsBefore[index]!);
    const isSame = createCellsEqual(cellsBefore[index]!, plan);
    const order = Int32Array.from(rows, (_, at) => {
      if (isDone(at, at)) {
        if (!isSame(at, at)) hasLanded = true;
        return at;
      }
      if (isAsBefore(at, at)) {
        isLeft[at] = 1;
        return at;
      }
      return rows.length + at;
    });
    return gather(concatData(field.type, [plan, cellsNow[index]!]), order);
  });
  const left = Int32Array.from(isLeft.keys()).filter((at) => isLeft[at] === 1);
  if (left.length === 0) return { files: [], hasLanded };
  const all = new Map([...names].map((name) => [name, gather(planned.get(name)!, rows)]));
  for (const [index, field] of columns.entries()) all.set(field.name, merged[index]!);
  return { files: [cutFile(keyNames, fields, all, left)], hasLanded };
}

function cellColumn(
  field: Field,
  { schema }: Version,
  {
    renames,
    computed,
    retyped,
  }: Pick<Work, 'renames' | 'retyped'> & { computed: ReadonlyMap<string, string | null> },
): CellColumn {
  const oldName = renames.find(({ to }) => to === field.name)?.name;
  const stored =
    schema.fields.find(({ name }) => name === field.name) ??
    schema.fields.find(({ name }) => name === oldName) ??
    schema.fields.find(({ name }) => name === retypedName(field.name));
  return {
    field,
    storedName: stored?.name ?? null,
    valueSql: stored ? null : (computed.get(field.name) ?? null),
    isBlob: isBlobField(stored ?? field),
    isCast: retyped.has(field.name),
  };
}

/**
 * New rows of a table without a key cannot be told from others by what they hold: they are in when the table has more
 * rows than the deletes alone would leave.
 */
async function unkeyedInsertsLeft(
  { now, before, signal, renames }: Work,
  { inserts, deletes }: Changeset,
): Promise<RowsLeft[]> {
  const toDelete = deletes === null ? null : readFile(deletes);
  const deleted =
    toDelete === null
      ? 0
      : (await findRows(now, rowsOf(toDelete), { signal, renames })).filter((id) => id === -1).length;
  const without = (await before.handle.countRows()) - deleted;
  let extra = (await now.handle.countRows()) - without;
  return inserts.map((bytes) => {
    const rows = readFile(bytes).numRows;
    const isIn = extra >= rows;
    if (isIn) extra -= rows;
    return { files: isIn ? [] : [bytes], hasLanded: isIn };
  });
}
