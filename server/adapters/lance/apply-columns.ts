import type { Table } from '@lancedb/lancedb';
import { arrow, type Field } from '../../arrow/arrow.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { commit, type Step } from './apply-commit.ts';
import { castExpression } from './write-cast.ts';
import { readFile, valueSqlKey } from './write-files.ts';
import type { WriteTarget } from './write-target.ts';

/** Columns first: added, then renamed, then dropped, then what is said of them, each kind in one version. */
export function planColumnSteps(
  target: WriteTarget,
  { addColumns, renameColumns, dropColumns, setFacts = {} }: Changeset,
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
