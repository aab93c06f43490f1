import { Index, type Table } from '@lancedb/lancedb';
import { AppError, abortedError, notFound } from '#shared/api/problem.ts';
import type { IndexInfo } from '#shared/domain/columns.ts';
import { assertIndexFits, type IndexKind, indexKindOf, isVectorType } from '#shared/domain/index-kinds.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { CallContext } from '../../ports/call.ts';
import type { TableWriter } from '../../ports/table-writer.ts';
import { commit } from './apply-commit.ts';
import { toColumnType } from './column-type-arrow.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { fieldOf, openBranch, type WriteTarget } from './write-target.ts';

const unquoted = (path: string): string =>
  /^`.*`$/s.test(path) ? path.slice(1, -1).replaceAll('``', '`') : path;

/** Indexes of a version with the share of its rows that they cover. */
export async function readIndexes(table: Table): Promise<IndexInfo[]> {
  const indexes = await table.listIndices();
  return Promise.all(
    indexes.map(async ({ name, columns, indexType }) => {
      const stats = await table.indexStats(name);
      const indexedRows = stats?.numIndexedRows ?? 0;
      const unindexedRows = stats?.numUnindexedRows ?? 0;
      const rows = indexedRows + unindexedRows;
      return {
        name,
        column: columns.map(unquoted).join(', '),
        kind: indexKindOf(indexType),
        coverage: rows === 0 ? 1 : indexedRows / rows,
        indexedRows,
        unindexedRows,
      };
    }),
  );
}

/** Residual quantisation packs eight numbers at a time. */
const packedDimensions = 8;
const rowsPerPartition = 4096;

function vectorIndex(size: number, rows: number): Index {
  const options = {
    distanceType: 'cosine' as const,
    numPartitions: Math.max(1, Math.round(rows / rowsPerPartition)),
  };
  return size % packedDimensions === 0 ? Index.ivfRq({ ...options, numBits: 4 }) : Index.ivfFlat(options);
}

async function configOf(
  { handle, table, branch, schema }: WriteTarget,
  column: string,
  kind: IndexKind,
): Promise<Index> {
  switch (kind) {
    case 'btree':
      return Index.btree();
    case 'bitmap':
      return Index.bitmap();
    case 'labelList':
      return Index.labelList();
    case 'text':
      return Index.fts({ withPosition: true });
    case 'vector': {
      const type = toColumnType(fieldOf({ table, branch, schema }, column));
      const rows = await handle.countRows(`${quoteLanceIdent(column)} is not null`);
      if (!isVectorType(type) || rows === 0)
        throw new AppError({
          code: 'CONFLICT',
          message: `“${column}” has no vectors yet.`,
          hint: 'Fill the column first.',
        });
      return vectorIndex(type.size, rows);
    }
  }
}

/**
 * Builds an index on a branch, or builds it anew. Lance cannot be stopped while it builds: what was cancelled meanwhile is
 * dropped again. Only the best scalar index of a column is used by Lance, so a second
 * one of another kind on the same column takes the place of the first.
 */
export async function createIndex(
  home: LanceHome,
  { table, branch, column, kind }: Parameters<TableWriter['createIndex']>[0],
  { signal }: CallContext,
): Promise<void> {
  const target = await openBranch(home, table, branch);
  assertIndexFits(column, toColumnType(fieldOf(target, column)), kind);
  await withLanceErrors({ table, home: home.path }, async () => {
    const config = await configOf(target, column, kind);
    const before = await readIndexes(target.handle);
    signal.throwIfAborted();
    const name =
      before.find((index) => index.column === column && index.kind === kind)?.name ?? `${column}_${kind}`;
    await commit(target, () =>
      target.handle.createIndex(quoteLanceIdent(column), { config, name, replace: true }),
    );
    const isNew = before.every((index) => index.name !== name);
    if (signal.aborted && isNew) {
      await commit(target, () => target.handle.dropIndex(name));
      throw abortedError();
    }
    const isScalar = (other: string): boolean => other === 'btree' || other === 'bitmap';
    for (const index of before) {
      if (index.column === column && index.name !== name && isScalar(index.kind) && isScalar(kind))
        await commit(target, () => target.handle.dropIndex(index.name));
    }
  });
}

/** Drops an index of a branch; the files go with the next clean-up. NOT_FOUND names near ones. */
export async function dropIndex(
  home: LanceHome,
  { table, branch, index }: Parameters<TableWriter['dropIndex']>[0],
  { signal }: CallContext,
): Promise<void> {
  const target = await openBranch(home, table, branch);
  const names = (await withLanceErrors({ table, home: home.path }, () => target.handle.listIndices())).map(
    ({ name }) => name,
  );
  if (!names.includes(index)) throw notFound(`The index ${index} of ${table}`, didYouMean(index, names));
  signal.throwIfAborted();
  await commit(target, () => target.handle.dropIndex(index));
}
