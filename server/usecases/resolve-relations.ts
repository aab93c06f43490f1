import { AppError, isAppError } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { parseRelationName } from '#shared/sql/relation-name.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { PinnedVersion } from '../ports/query-store.ts';
import type { MissingRelation, SqlRelation } from '../ports/sql-engine.ts';
import { resolveRef } from './resolve-ref.ts';

export interface ResolvedRelations {
  relations: SqlRelation[];
  /** Which versions they are, in the same order. */
  versions: PinnedVersion[];
  missing: MissingRelation[];
}

const maxRelations = 100;

/**
 * What the names of a statement mean: pinned refs of tables, by the name itself (`clips@exp:12`), by `refs`, else main.
 * Names that mean nothing come back with the reason, since they may still be names of the statement's own `WITH`.
 */
export async function resolveRelations(
  ports: Pick<Ports, 'reader' | 'store'>,
  names: readonly string[],
  refs: Record<string, string> | undefined,
  context: CallContext,
): Promise<ResolvedRelations> {
  if (names.length > maxRelations)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `The statement names ${names.length} tables; it may name ${maxRelations}.`,
    });
  if (names.length === 0 && Object.keys(refs ?? {}).length === 0)
    return { relations: [], versions: [], missing: [] };
  const trashed = new Set(ports.store.trash.list().map(({ name }) => name));
  const tables = (await ports.reader.listTables({}, context))
    .map(({ name }) => name)
    .filter((name) => !trashed.has(name));
  assertRefsNameTables(refs, tables, trashed);
  const relations: SqlRelation[] = [];
  const versions: PinnedVersion[] = [];
  const missing: MissingRelation[] = [];
  for (const name of names) {
    try {
      const { relation, version } = await resolveRelation(ports, name, { refs, tables }, context);
      relations.push(relation);
      versions.push(version);
    } catch (error) {
      if (!isAppError(error) || !namingCodes.has(error.code)) throw withName(error, name);
      missing.push({ name, message: error.message, hint: error.hint });
    }
  }
  return { relations, versions, missing };
}

/** A ref that is gone is told with the name that it has in the statement, so that it can be changed there. */
function withName(error: unknown, name: string): unknown {
  if (!isAppError(error) || error.code !== 'GONE') return error;
  const { code, message, hint } = error;
  return new AppError({
    code,
    message,
    hint,
    issues: [{ path: name, message: 'stands in the statement' }],
    cause: error,
  });
}

const namingCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'BAD_REQUEST']);

/** A ref that no table takes would be passed over in silence, and the statement would read main. */
function assertRefsNameTables(
  refs: Record<string, string> | undefined,
  tables: readonly string[],
  trashed: ReadonlySet<string>,
): void {
  for (const name of Object.keys(refs ?? {})) {
    if (tableOf(name, tables) !== null) continue;
    if (trashed.has(name))
      throw new AppError({
        code: 'GONE',
        message: `refs names ${name}, which is in the trash.`,
        hint: 'Restore it from the trash to use it again.',
      });
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `refs names “${name}”, and there is no such table.`,
      hint: didYouMean(name, tables) ?? 'Give refs only to tables that are there.',
    });
  }
}

interface Known {
  refs: Record<string, string> | undefined;
  tables: readonly string[];
}

async function resolveRelation(
  ports: Pick<Ports, 'reader' | 'store'>,
  name: string,
  { refs, tables }: Known,
  context: CallContext,
): Promise<{ relation: SqlRelation; version: PinnedVersion }> {
  const at = name.indexOf('@');
  const asked = at === -1 ? name : name.slice(0, at);
  const table = tableOf(asked, tables);
  if (table === null)
    throw new AppError({
      code: 'NOT_FOUND',
      message: `There is no table “${asked}”.`,
      hint:
        didYouMean(asked, tables) ??
        (tables.length === 0
          ? 'There are no tables yet; import one first.'
          : `There are ${tables.slice(0, 12).join(', ')}.`),
    });
  const { ref } = parseRelationName(name);
  const refText = ref === null ? (refs?.[table] ?? refs?.[asked] ?? '') : name.slice(at + 1);
  const resolved = await resolveRef(ports, table, refText, context);
  const { ref: pinned, uuid, branchCreatedAt } = resolved;
  return {
    relation: { name, table, ref: pinned, key: `${uuid}/${branchCreatedAt}/${formatRef(pinned)}` },
    version: { tableUuid: uuid, table, ref: pinned, branchCreatedAt },
  };
}

/** SQL does not tell upper from lower case: the table itself, else the only one that differs in case. */
function tableOf(name: string, tables: readonly string[]): string | null {
  if (tables.includes(name)) return name;
  const alike = tables.filter((table) => table.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
