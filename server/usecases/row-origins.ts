import type { CellStep, RowEvent } from '#shared/api/history.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { TableHeads } from '../ports/table-reader.ts';
import { RowWalk, type WalkBudget, type WalkedRow, type WalkPorts, type WalkState } from './row-walk.ts';
import { type LoggedStep, sourceHead, type VersionLog } from './version-log.ts';

export interface OriginScope {
  ports: WalkPorts;
  log: VersionLog;
  heads: TableHeads;
  row: WalkedRow;
  budget: WalkBudget;
  context: CallContext;
}

const maxDepth = 4;
const maxOrigins = 10;

/** An event of a merge with what was done to the row on the branch that it brought in, back to where the two parted. */
export async function addOrigins(
  { found, step }: { found: RowEvent; step: LoggedStep },
  scope: OriginScope,
  depth = 0,
): Promise<RowEvent> {
  const { edit } = step;
  if (!edit?.mergedFrom || scope.row.key === null || depth >= maxDepth) return found;
  const source = sourceHead(edit, scope.heads);
  if (!source)
    return {
      ...found,
      note: `The branch ${edit.mergedFrom.branch} has been deleted, and its versions with it.`,
    };
  const from = scope.log.placeOf(edit.mergedFrom);
  const { exists } = await scope.ports.reader.hasVersion(
    { table: scope.row.table, ref: from },
    scope.context,
  );
  if (!exists)
    return {
      ...found,
      note: `The versions of ${edit.mergedFrom.branch} that were merged have been cleaned up.`,
    };
  scope.budget.reads -= 1;
  const brought = await scope.ports.trace.rowStep(
    {
      table: scope.row.table,
      before: from,
      after: found.after?.ref ?? found.ref,
      row: { key: scope.row.key },
      isOneLine: false,
      ...(scope.row.column ? { column: scope.row.column } : {}),
    },
    scope.context,
  );
  const settled = namesOf(found.cells).filter((name) => namesOf(brought.cells).includes(name));
  const wanted = new Set(namesOf(found.cells).filter((name) => !settled.includes(name)));
  const isWhole = found.change !== 'modified' || brought.before === null;
  const origin =
    wanted.size === 0 && !isWhole
      ? []
      : await walkSource(
          { edit, from, stamp: brought.before, wanted: isWhole ? null : wanted },
          scope,
          depth,
        );
  return { ...found, settled: found.change === 'modified' ? settled : [], origin };
}

const namesOf = (cells: readonly CellStep[]): string[] => cells.map(({ column }) => column);

interface Source {
  edit: EditRecord;
  from: PinnedRef;
  stamp: WalkState['stamp'];
  /** Columns that the merge brought; `null`: the whole row. */
  wanted: ReadonlySet<string> | null;
}

async function walkSource(
  { edit, from, stamp, wanted }: Source,
  scope: OriginScope,
  depth: number,
): Promise<RowEvent[]> {
  const { log, ports, budget, context } = scope;
  const row = { ...scope.row, rowId: stamp?.rowId ?? null };
  const walk = new RowWalk(ports, { log, row, budget, context });
  const events: RowEvent[] = [];
  let state: WalkState | null = { at: from, stamp };
  while (state && events.length < maxOrigins && !walk.isSpent && !isShared(state.at, edit, log)) {
    const { event, next } = await walk.back(state);
    const isOurs = event && !isShared(event.found.ref, edit, log);
    if (event && !isOurs) break;
    if (event && isWanted(event.found, wanted)) events.push(await addOrigins(event, scope, depth + 1));
    state = next;
  }
  return events;
}

const isWanted = ({ change, cells }: RowEvent, wanted: ReadonlySet<string> | null): boolean =>
  wanted === null || change !== 'modified' || cells.some(({ column }) => wanted.has(column));

/** A version that both branches come from: on the line of the branch that was merged into, or at the merge base. */
function isShared(at: PinnedRef, { branch, fromVersion, mergeBase }: EditRecord, log: VersionLog): boolean {
  const place = log.placeOf(at);
  const base = mergeBase && log.placeOf(mergeBase);
  if (base && base.branch === place.branch && place.version <= base.version) return true;
  for (let line: PinnedRef | null = log.placeOf({ branch, version: fromVersion }); line; ) {
    if (line.branch === place.branch) return place.version <= line.version;
    const parent: PinnedRef | null = log.headOf(line.branch)?.parent ?? null;
    line = parent && log.placeOf(parent);
  }
  return false;
}
