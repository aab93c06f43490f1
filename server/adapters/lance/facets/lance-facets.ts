import { setImmediate as nextTurn } from 'node:timers/promises';
import { abortedError, isAppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { FacetCondition, TableFacets } from '../../../ports/table-facets.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { LanceParts } from '../table-reader.ts';
import { associateColumns } from './associate-columns.ts';
import { ByteCache } from './byte-cache.ts';
import { NumberCoder } from './code-numbers.ts';
import { TextCoder } from './code-texts.ts';
import { countRows, type RowCondition } from './count-rows.ts';
import { detailColumns } from './details/detail-columns.ts';
import { type Bytes, type CodedCells, type FacetColumn, facetColumnOf } from './facet-column.ts';
import { maskOfCodes, maskOfFilter, passesOfBrush } from './mask-rows.ts';
import { type PlannedFacet, planFacet } from './plan-facet.ts';
import { chooseRowSet, type RowSet } from './row-set.ts';

type Coded = FacetColumn | { column: string; why: string };

/** Rows of the sample that stands in where the columns of all rows would not fit. */
const largeSample = 2_000_000;
/** Of the room, for columns; the rest is for conditions. */
const columnShare = 0.7;
/** The elements of lists are always in memory. */
const mostRowsOfLists = 60_000_000;
/** Rows times pairs of columns, above which a sample of rows is looked at. */
const mostPairedRows = 1_500_000_000;
const pairedSample = 1_000_000;

export interface FacetRoom {
  /** What may stay in memory of columns and of conditions together. */
  budgetBytes: number;
  /** Tables with more rows are kept in files, in the folder for temporary ones. */
  rowsInMemory?: number;
  fileBytes?: number;
}

/** Linked distributions over Lance. */
export function createLanceFacets(
  { home, tables, permutations }: LanceParts,
  { budgetBytes, rowsInMemory = 4_000_000, fileBytes = 4e9 }: FacetRoom,
): TableFacets {
  const cachesOf = (bytes: number): Caches => ({
    columns: new ByteCache<Coded>(bytes * columnShare),
    masks: new ByteCache<Bytes>(bytes * (1 - columnShare)),
  });
  const caches = { memory: cachesOf(budgetBytes), files: cachesOf(fileBytes) };

  const fits = (rows: number, wanted: readonly ColumnInfo[]): boolean => {
    if (rows > mostRowsOfLists && wanted.some(isListFacet)) return false;
    return rows * wanted.length <= columnShare * (rows > rowsInMemory ? fileBytes : budgetBytes);
  };
  const open = async (input: Parameters<TableFacets['associations']>[0], context: CallContext) => {
    const table = await tables.open(input, context);
    const place = { table: input.table, ref: input.ref, home: home.path };
    const wanted = input.columns.flatMap(
      (name) => table.facts.columns.find((column) => column.name === name) ?? [],
    );
    const over = (sample: number | undefined): Work => {
      const rowSet = chooseRowSet({ table, place, rowsInMemory }, sample);
      return { rowSet, place, context, ...(rowSet.isInFile ? caches.files : caches.memory) };
    };
    return { rows: table.facts.rows, wanted, over };
  };

  return {
    facets: (input, context) =>
      despiteOthers(context.signal, async () => {
        const startedAt = performance.now();
        const { rows, wanted, over } = await open(input, context);
        const work = over(input.sample ?? (fits(rows, wanted) ? undefined : largeSample));
        const read = await readColumns(wanted, work);
        const facets = read.filter((one): one is FacetColumn => 'bins' in one);
        const counted = work.rowSet.rows;
        const conditions = await conditionsOf(input.conditions, facets, work);
        const [marked = null] = await conditionsOf(input.marked ? [input.marked] : [], facets, work);
        const { active } = input;
        const steps = countRows({ rows: counted, facets, conditions, marked, active });
        const answer = await inTurns(steps, context.signal, (done) =>
          context.onProgress?.({ done, total: counted, unit: 'rows', message: 'Counting' }),
        );
        return {
          ...answer,
          rows,
          counted,
          isSample: work.rowSet.isSample,
          skipped: read.filter((one) => 'why' in one),
          elapsedMs: performance.now() - startedAt,
        };
      }),

    associations: (input, context) =>
      despiteOthers(context.signal, async () => {
        const { rows, wanted, over } = await open(input, context);
        const pairCount = (wanted.length * (wanted.length - 1)) / 2;
        const isTooMuch = rows * pairCount > mostPairedRows || !fits(rows, wanted);
        const work = over(isTooMuch ? pairedSample : undefined);
        const read = await readColumns(wanted, work);
        const facets = read.filter((one): one is FacetColumn => 'bins' in one && !one.isList);
        const conditions = await conditionsOf(input.conditions, facets, work);
        const { rowSet } = work;
        return {
          rows,
          ...(await inTurns(associateColumns({ rows: rowSet.rows, facets, conditions }), context.signal)),
          isSample: rowSet.isSample,
          columns: facets.map(({ column }) => column),
        };
      }),

    details: (input, context) => detailColumns(input, context, { home: home.path, tables, permutations }),
  };
}

const isListFacet = (column: ColumnInfo): boolean => {
  const plan = planFacet(column);
  return typeof plan !== 'string' && plan.source === 'element';
};

const attempts = 4;

/** Columns are read for all who wait for them: where the one who asked first gave up, the others read them again. */
async function despiteOthers<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt >= attempts || !isAbort(error)) throw error;
    }
  }
}

const isAbort = (error: unknown): boolean =>
  (isAppError(error) && error.code === 'ABORTED') || (error instanceof Error && error.name === 'AbortError');

interface Caches {
  columns: ByteCache<Coded>;
  masks: ByteCache<Bytes>;
}

interface Work extends Caches {
  rowSet: RowSet;
  place: LanceErrorPlace;
  context: CallContext;
}

const breathe = async (signal: AbortSignal): Promise<void> => {
  await nextTurn();
  if (signal.aborted) throw abortedError();
};

/** Runs counting that yields between blocks, without holding up what else the process hears. */
async function inTurns<S, T>(
  steps: Generator<S, T>,
  signal: AbortSignal,
  onStep?: (step: S) => void,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    onStep?.(step.value);
    await breathe(signal);
  }
}

/** Columns that are read in one pass: of a sample all, of whole tables one after the other, so that memory stays small. */
const columnsAtOnce = ({ isSample }: RowSet): number => (isSample ? 64 : 1);

async function readColumns(wanted: readonly ColumnInfo[], work: Work): Promise<Coded[]> {
  const { rowSet, columns, context } = work;
  const keyOf = (name: string): string => `${rowSet.key}:${name}`;
  const plans = wanted.map((column) => ({ name: column.name, plan: planFacet(column) }));
  const missing = plans.flatMap(({ name, plan }) =>
    typeof plan === 'string' || columns.has(keyOf(name)) ? [] : [plan],
  );
  const step = columnsAtOnce(rowSet);
  for (let at = 0; at < missing.length; at += step) {
    const group = missing.slice(at, at + step);
    const coded = codeColumns(group, rowSet, context.signal, (done) =>
      context.onProgress?.({
        done: Math.floor(at / step) * rowSet.rows + done,
        total: Math.ceil(missing.length / step) * rowSet.rows,
        unit: 'cells',
        message: `Reading ${group.length === 1 ? group[0]!.column : `${group.length} columns`}`,
      }),
    );
    group.forEach(({ column }, index) => {
      void columns
        .get(
          keyOf(column),
          () => coded.then((all) => all[index]!),
          (one) => ('bins' in one ? one.byteLength + smallBytes : smallBytes),
        )
        .catch(() => undefined);
    });
    await coded;
  }
  const late = async (plan: PlannedFacet): Promise<Coded> => {
    const [one] = await codeColumns([plan], rowSet, context.signal);
    return one!;
  };
  return Promise.all(
    plans.map(({ name, plan }) =>
      typeof plan === 'string'
        ? { column: name, why: plan }
        : columns.get(
            keyOf(name),
            () => late(plan),
            () => smallBytes,
          ),
    ),
  );
}

const smallBytes = 4096;

async function codeColumns(
  plans: readonly PlannedFacet[],
  rowSet: RowSet,
  signal: AbortSignal,
  onRows?: (rows: number) => void,
): Promise<Coded[]> {
  const coders = plans.map((plan) => {
    const isText = plan.source === 'text' || plan.source === 'bool' || plan.source === 'element';
    return isText ? new TextCoder(rowSet, plan) : new NumberCoder(rowSet, plan);
  });
  const expressions = Object.fromEntries(plans.map(({ column }, at) => [`c${at}`, quoteLanceIdent(column)]));
  let rows = 0;
  for await (const batch of rowSet.read(expressions, signal)) {
    for (const [at, coder] of coders.entries()) {
      coder.add(batch.getChild(`c${at}`)!.data[0]!);
      await breathe(signal);
    }
    const before = rows;
    rows += batch.numRows;
    if (Math.floor(before / rowsPerNotice) < Math.floor(rows / rowsPerNotice)) onRows?.(rows);
  }
  const coded: Coded[] = [];
  for (const [at, coder] of coders.entries()) {
    const plan = plans[at]!;
    const cells = await inTurns<void, CodedCells | { why: string }>(coder.finish(), signal);
    coded.push(
      'why' in cells
        ? { column: plan.column, why: cells.why }
        : await inTurns(facetColumnOf(plan, { rows: rowSet.rows, cells }), signal),
    );
  }
  return coded;
}

const rowsPerNotice = 500_000;

async function conditionsOf(
  conditions: readonly FacetCondition[],
  facets: readonly FacetColumn[],
  { rowSet, masks, context }: Work,
): Promise<RowCondition[]> {
  const found: RowCondition[] = [];
  for (const condition of conditions) {
    const owner = ownerOf(condition);
    const facet = facets.find(({ column }) => column === owner);
    const passes = facet && passesOfBrush(facet, condition.sql);
    if (facet && passes) {
      found.push({ owner, mask: (from, to) => maskOfCodes(facet.block(from, to), passes) });
      continue;
    }
    const mask = await masks.get(
      `${rowSet.key}:${condition.lance}`,
      () => maskOfFilter(condition.lance, rowSet, context.signal),
      ({ byteLength }) => byteLength,
    );
    found.push({ owner, mask: (from, to) => mask.block(from, to) });
    await breathe(context.signal);
  }
  return found;
}

const ownerOf = ({ columns }: FacetCondition): string | null =>
  columns.length === 1 && !columns[0]!.startsWith('_row') ? columns[0]! : null;
