import type { Table } from '@lancedb/lancedb';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { arrow, type Field } from '../../arrow/arrow.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { commit, type Step } from './apply-commit.ts';
import { castExpression, tryCastExpression } from './write-cast.ts';
import { readFile, valueSqlKey } from './write-files.ts';
import type { WriteTarget } from './write-target.ts';

/** Columns first: added, then renamed, then dropped, then what is said of them, each kind in one version. */
export function planColumnSteps(
  target: WriteTarget,
  { addColumns, renameColumns, retypeColumns = null, dropColumns, setFacts = {} }: Changeset,
): Step[] {
  const { handle } = target;
  const added = addColumns === null ? [] : readFile(addColumns).schema.fields;
  const steps = runsOf(added).map((run): Step => {
    const columns = isComputed(run[0]!) ? run.map(transform) : new arrow.Schema(run);
    return {
      name: 'add columns',
      operation: 'merge',
      run: () => commit(target, () => handle.addColumns(columns)),
    };
  });
  if (renameColumns.length > 0)
    steps.push({
      name: 'rename columns',
      operation: 'project',
      run: () =>
        commit(target, () =>
          handle.alterColumns(renameColumns.map(({ name, to }) => ({ path: name, rename: to }))),
        ),
    });
  if (dropColumns.length > 0)
    steps.push({
      name: 'drop columns',
      operation: 'project',
      run: () => commit(target, () => handle.dropColumns([...dropColumns])),
    });
  const names = target.schema.fields.map(({ name }) => newNameIn(renameColumns)(name));
  if (retypeColumns !== null)
    steps.push(...planRetypeSteps(target, names, readFile(retypeColumns).schema.fields));
  const facts = Object.entries(setFacts).map(([path, metadata]) => ({ path, metadata }));
  if (facts.length > 0)
    steps.push({
      name: 'set facts',
      operation: 'update-config',
      run: () =>
        commit(target, () =>
          handle.updateFieldMetadata(facts as Parameters<Table['updateFieldMetadata']>[0]),
        ),
    });
  return steps;
}

/** Under this name the new cells of a column stand until the old ones are gone. */
export const retypedName = (name: string): string => `curio_retyped_${name}`;

/**
 * Lance casts few types in place, so the cells are written as a new column, which then takes the place of the old one.
 * What is there already is not done again: `names` are the columns that the table has.
 */
function planRetypeSteps(target: WriteTarget, names: readonly string[], fields: readonly Field[]): Step[] {
  const { handle } = target;
  const has = (name: string): boolean => names.includes(name);
  const toAdd = fields.filter(({ name }) => !has(retypedName(name)));
  const toDrop = fields.filter(({ name }) => has(name));
  const castOf = ({ name, type }: Field): string => tryCastExpression(quoteLanceIdent(name), type);
  let castAt: number | null = null;
  const add: Step = {
    name: 'cast columns',
    operation: 'merge',
    run: async () => {
      await commit(target, () =>
        handle.addColumns(toAdd.map((field) => ({ name: retypedName(field.name), valueSql: castOf(field) }))),
      );
      castAt = await handle.version();
    },
  };
  const drop: Step = {
    name: 'drop columns',
    operation: 'project',
    run: async () => {
      if ((await handle.version()) !== castAt) await castLate(target, toDrop);
      await commit(target, () => handle.dropColumns(toDrop.map(({ name }) => name)));
    },
  };
  const rename: Step = {
    name: 'rename columns',
    operation: 'project',
    run: () =>
      commit(target, () =>
        handle.alterColumns(fields.map(({ name }) => ({ path: retypedName(name), rename: name }))),
      ),
  };
  return [...(toAdd.length > 0 ? [add] : []), ...(toDrop.length > 0 ? [drop] : []), rename];
}

/** Rows that other programs added since the cast have only the old cells. */
async function castLate(target: WriteTarget, fields: readonly Field[]): Promise<void> {
  for (const { name, type } of fields) {
    const [was, is] = [quoteLanceIdent(name), quoteLanceIdent(retypedName(name))];
    const cast = tryCastExpression(was, type);
    const where = `${is} is null and ${cast} is not null`;
    if ((await target.handle.countRows(where)) === 0) continue;
    const valuesSql = { [retypedName(name)]: cast };
    await commit(target, () => target.handle.update({ where, valuesSql }));
  }
}

/** What a column is called once the renames are done. */
export const newNameIn =
  (renames: Changeset['renameColumns']) =>
  (name: string): string =>
    renames.find((rename) => rename.name === name)?.to ?? name;

/** The target as it is once columns have their new names. */
export function afterRenames(target: WriteTarget, renameColumns: Changeset['renameColumns']): WriteTarget {
  if (renameColumns.length === 0) return target;
  const newName = newNameIn(renameColumns);
  const fields = target.schema.fields.map((field) => {
    return new arrow.Field(newName(field.name), field.type, field.nullable, field.metadata);
  });
  return {
    ...target,
    schema: new arrow.Schema(fields, target.schema.metadata),
    key: target.key.map(newName),
  };
}

const transform = ({ name, type, metadata }: Field) => ({
  name,
  valueSql: castExpression(metadata.get(valueSqlKey)!, type),
});

const isComputed = ({ metadata }: Field): boolean => metadata.has(valueSqlKey);

/** Columns that Lance can add in one call: it takes expressions or empty columns. */
function runsOf(fields: readonly Field[]): Field[][] {
  const runs: Field[][] = [];
  for (const field of fields) {
    const last = runs.at(-1);
    if (last && isComputed(last[0]!) === isComputed(field)) last.push(field);
    else runs.push([field]);
  }
  return runs;
}
