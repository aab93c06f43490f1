import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Facet, FacetsAnswer } from '#shared/api/facets.ts';
import { abortedError, isAppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { barOfCode, binCountOf, type FacetBins, specialCodes } from '#shared/domain/facets/bins.ts';
import type { FacetKind } from '#shared/domain/facets/brush.ts';
import {
  countCodes,
  countRowsIn,
  type MaskedCondition,
  markFailures,
  maskOfBoth,
  maskWithout,
} from '#shared/domain/facets/count-facets.ts';
import { type CodedColumn, countCube } from '#shared/domain/facets/cube.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { FacetCondition, FacetsInput, TableFacets } from '../../../ports/table-facets.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { LanceParts } from '../table-reader.ts';
import { associateColumns } from './associate-columns.ts';
import { ByteCache } from './byte-cache.ts';
import { NumberCoder } from './code-numbers.ts';
import { TextCoder } from './code-texts.ts';
import { detailColumns } from './details/detail-columns.ts';
import { maskOfBrush, maskOfFilter } from './mask-rows.ts';
import { type PlannedFacet, planFacet } from './plan-facet.ts';
import { chooseRowSet, type RowSet } from './row-set.ts';

/** A column as bins: what was read of it once. */
export interface FacetColumn extends CodedColumn {
  column: string;
  kind: FacetKind;
  bins: FacetBins;
  distinct: number | null;
  all: Uint32Array;
}

type Coded = FacetColumn | { column: string; why: string };

/** Rows of the sample that stands in where the columns of all rows would not fit into memory. */
const largeSample = 2_000_000;
/** Of the memory, for columns; the rest is for conditions. */
const columnShare = 0.7;
/** While a column is read it takes up to 13 bytes per row: beyond this the engine would need more than a gigabyte. */
const mostRows = 60_000_000;
/** Rows times pairs of columns, above which a sample of rows is looked at. */
const mostPairedRows = 400_000_000;
const pairedSample = 1_000_000;

/** Linked distributions over Lance. `budgetBytes` bounds what stays in memory of columns and of conditions together. */
export function createLanceFacets(
  { home, tables, permutations }: LanceParts,
  { budgetBytes }: { budgetBytes: number },
): TableFacets {
  const columns = new ByteCache<Coded>(budgetBytes * columnShare);
  const masks = new ByteCache<Uint8Array>(budgetBytes * (1 - columnShare));

  return {
    facets: (input, context) =>
      despiteOthers(context.signal, async () => {
        const startedAt = performance.now();
        const table = await tables.open(input, context);
        const place = { table: input.table, ref: input.ref, home: home.path };
        const wanted = input.columns.flatMap(
          (name) => table.facts.columns.find((column) => column.name === name) ?? [],
        );
        const fits = fitsMemory(table.facts.rows, wanted.length, budgetBytes);
        const sample = input.sample ?? (fits ? undefined : largeSample);
        const rowSet = chooseRowSet({ table, place }, sample);
        const work: Work = { rowSet, columns, masks, place, context };
        const read = await readColumns(wanted, work);
        const facets = read.filter((one): one is FacetColumn => 'codes' in one);
        const answer = await countAll(facets, input, work);
        return {
          ...answer,
          rows: table.facts.rows,
          counted: rowSet.rows,
          isSample: rowSet.isSample,
          skipped: read.filter((one) => 'why' in one),
          elapsedMs: performance.now() - startedAt,
        };
      }),

    associations: (input, context) =>
      despiteOthers(context.signal, async () => {
        const table = await tables.open(input, context);
        const place = { table: input.table, ref: input.ref, home: home.path };
        const wanted = input.columns.flatMap(
          (name) => table.facts.columns.find((column) => column.name === name) ?? [],
        );
        const pairCount = (wanted.length * (wanted.length - 1)) / 2;
        const isTooMuch =
          table.facts.rows * pairCount > mostPairedRows ||
          !fitsMemory(table.facts.rows, wanted.length, budgetBytes);
        const rowSet = chooseRowSet({ table, place }, isTooMuch ? pairedSample : undefined);
        const work: Work = { rowSet, columns, masks, place, context };
        const read = await readColumns(wanted, work);
        const facets = read.filter((one): one is FacetColumn => 'codes' in one && !one.offsets);
        const conditions: MaskedCondition[] = [];
        for (const condition of input.conditions) conditions.push(await maskOf(condition, facets, work));
        const { signal } = context;
        const { marks, owners } = await inTurns(markFailures(rowSet.rows, conditions), signal);
        const mask = conditions.length > 0 ? await inTurns(maskWithout(marks, owners, []), signal) : null;
        return {
          rows: table.facts.rows,
          counted: mask ? await inTurns(countRowsIn(mask), signal) : rowSet.rows,
          isSample: rowSet.isSample,
          columns: facets.map(({ column }) => column),
          pairs: await inTurns(associateColumns(facets, mask), signal),
        };
      }),

    details: (input, context) => detailColumns(input, context, { home: home.path, tables, permutations }),
  };
}

const fitsMemory = (rows: number, columns: number, budgetBytes: number): boolean =>
  rows <= mostRows && rows * columns <= budgetBytes * columnShare;

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

interface Work {
  rowSet: RowSet;
  columns: ByteCache<Coded>;
  masks: ByteCache<Uint8Array>;
  place: LanceErrorPlace;
  context: CallContext;
}

const breathe = async (signal: AbortSignal): Promise<void> => {
  await nextTurn();
  if (signal.aborted) throw abortedError();
};

/** Runs counting that yields between blocks, without holding up what else the process hears. */
async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
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
    const coded = codeColumns(group, rowSet, context.signal);
    group.forEach(({ column }, index) => {
      void columns
        .get(
          keyOf(column),
          () => coded.then((all) => all[index]!),
          (one) =>
            'codes' in one ? one.codes.byteLength + (one.offsets?.byteLength ?? 0) + smallBytes : smallBytes,
        )
        .catch(() => undefined);
    });
    await coded;
    context.onProgress?.({
      done: Math.min(missing.length, at + step),
      total: missing.length,
      unit: 'columns',
      message: 'Counting',
    });
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

interface CodedCells {
  bins: FacetBins;
  codes: Uint8Array;
  offsets?: Uint32Array;
  distinct?: number | null;
  isLength?: boolean;
}

async function codeColumns(
  plans: readonly PlannedFacet[],
  rowSet: RowSet,
  signal: AbortSignal,
): Promise<Coded[]> {
  const coders = plans.map((plan) => {
    const isText = plan.source === 'text' || plan.source === 'bool' || plan.source === 'element';
    return isText ? new TextCoder(rowSet.rows, plan) : new NumberCoder(rowSet.rows, plan);
  });
  const expressions = Object.fromEntries(plans.map(({ column }, at) => [`c${at}`, quoteLanceIdent(column)]));
  for await (const batch of rowSet.read(expressions, signal)) {
    for (const [at, coder] of coders.entries()) {
      coder.add(batch.getChild(`c${at}`)!.data[0]!);
      await breathe(signal);
    }
  }
  const coded: Coded[] = [];
  for (const [at, coder] of coders.entries()) {
    const { column, source } = plans[at]!;
    const cells = await inTurns<CodedCells | { why: string }>(coder.finish(), signal);
    coded.push(
      'why' in cells ? { column, why: cells.why } : await inTurns(columnOf(column, source, cells), signal),
    );
  }
  return coded;
}

function* columnOf(
  column: string,
  source: PlannedFacet['source'],
  cells: CodedCells,
): Generator<void, FacetColumn> {
  const { bins, codes, offsets, distinct = null, isLength } = cells;
  const { size } = specialCodes(binCountOf(bins));
  const part: CodedColumn = { codes, size, ...(offsets ? { offsets } : {}) };
  const all = yield* countCodes(part, null);
  return { ...part, column, bins, distinct, kind: isLength ? 'length' : source, all };
}

async function maskOf(
  condition: FacetCondition,
  facets: readonly FacetColumn[],
  work: Work,
): Promise<MaskedCondition> {
  const { rowSet, masks, context } = work;
  const owner = ownerOf(condition);
  const mask = await masks.get(
    `${rowSet.key}:${condition.lance}`,
    async () => {
      const facet = facets.find(({ column }) => column === owner);
      return (
        (facet && (await inTurns(maskOfBrush(facet, condition.sql, rowSet.rows), context.signal))) ??
        (await maskOfFilter(condition.lance, rowSet, context.signal))
      );
    },
    ({ byteLength }) => byteLength,
  );
  await breathe(context.signal);
  return { mask, owner };
}

const ownerOf = ({ columns }: FacetCondition): string | null =>
  columns.length === 1 && !columns[0]!.startsWith('_row') ? columns[0]! : null;

async function countAll(
  facets: readonly FacetColumn[],
  input: FacetsInput,
  work: Work,
): Promise<Pick<FacetsAnswer, 'matching' | 'marked' | 'facets' | 'cube'>> {
  const { rowSet, context } = work;
  const conditions: MaskedCondition[] = [];
  for (const condition of input.conditions) conditions.push(await maskOf(condition, facets, work));
  const turns = <T>(steps: Generator<void, T>): Promise<T> => inTurns(steps, context.signal);
  const { marks, owners } = await turns(markFailures(rowSet.rows, conditions));
  const inside = conditions.length > 0 ? await turns(maskWithout(marks, owners, [])) : null;
  const chosen = input.marked ? (await maskOf(input.marked, facets, work)).mask : null;
  const marked = chosen && inside ? await turns(maskOfBoth(chosen, inside)) : chosen;
  const counted: Facet[] = [];
  for (const facet of facets) {
    const { column, kind, bins, distinct, all } = facet;
    const whole = [...all];
    const insideCounts = inside ? [...(await turns(countCodes(facet, inside)))] : whole;
    const own = owners.includes(column) ? await turns(maskWithout(marks, owners, [column])) : null;
    counted.push({
      column,
      kind,
      bins,
      distinct,
      all: whole,
      kept: own ? [...(await turns(countCodes(facet, own)))] : insideCounts,
      inside: insideCounts,
      marked: marked && [...(await turns(countCodes(facet, marked)))],
    });
  }
  return {
    matching: inside ? await turns(countRowsIn(inside)) : rowSet.rows,
    marked: marked && (await turns(countRowsIn(marked))),
    facets: counted,
    cube: await cubeOf(facets, conditions, input.active, work),
  };
}

/** The cube of one column against every other: of the rows that pass all conditions but those on the two. */
async function cubeOf(
  facets: readonly FacetColumn[],
  conditions: readonly MaskedCondition[],
  column: string | undefined,
  { rowSet, context }: Work,
): Promise<FacetsAnswer['cube']> {
  const active = facets.find((facet) => facet.column === column);
  if (!active || active.offsets) return null;
  const { signal } = context;
  const rest = conditions.filter(({ owner }) => owner !== active.column);
  const { marks, owners } = await inTurns(markFailures(rowSet.rows, rest), signal);
  const plain = rest.length > 0 ? await inTurns(maskWithout(marks, owners, []), signal) : null;
  const others = [];
  for (const other of facets) {
    if (other === active) continue;
    const width = other.bins.bars.length + 4;
    const mask = owners.includes(other.column)
      ? await inTurns(maskWithout(marks, owners, [other.column]), signal)
      : plain;
    const cube = { active, other, place: barOfCode(other.bins), width, mask };
    const { prefix } = await inTurns(countCube(cube), signal);
    others.push({ column: other.column, width, prefix: Array.from(prefix) });
  }
  const totals = [0];
  for (const rows of await inTurns(countCodes(active, plain), signal)) totals.push(totals.at(-1)! + rows);
  return { column: active.column, others, totals };
}
