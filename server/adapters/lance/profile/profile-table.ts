import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { arrow, type Data } from '../../../arrow/arrow.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { TableReader } from '../../../ports/table-reader.ts';
import { unknownColumn } from '../rows/plan-columns.ts';
import type { RowsPlaces } from '../rows/read-rows.ts';
import { NumberSummary, type ProfileFigures } from './number-summary.ts';
import { type ProfiledColumn, planProfile } from './plan-profile.ts';
import { chooseProfiledRows, type ProfiledRows } from './profiled-rows.ts';
import { TextSummary } from './text-summary.ts';

/** Columns read in one pass; their values are held until it ends, 8 bytes each. */
const columnsAtOnce = 8;

interface Summary {
  add(data: Data): void;
  finish(): ProfileFigures;
}

class NullSummary implements Summary {
  #nulls = 0;

  /** Takes what `is null` answers. */
  add(data: Data): void {
    const bits = data.values as Uint8Array;
    for (let row = data.offset; row < data.offset + data.length; row++)
      this.#nulls += (bits[row >> 3]! >> (row & 7)) & 1;
  }

  finish(): ProfileFigures {
    return {
      nulls: this.#nulls,
      distinct: null,
      isDistinctExact: false,
      min: null,
      max: null,
      mean: null,
      quantiles: null,
      histogram: null,
      top: null,
    };
  }
}

function createSummary({ kind }: ProfiledColumn): Summary {
  switch (kind) {
    case 'number':
    case 'whole':
    case 'time':
      return new NumberSummary(kind === 'whole');
    case 'text':
    case 'bool': {
      const summary = new TextSummary();
      return { add: (data) => summary.add(data), finish: () => summary.finish({ isBool: kind === 'bool' }) };
    }
    case 'nulls':
      return new NullSummary();
  }
}

async function profileColumns(
  columns: readonly ProfiledColumn[],
  rows: ProfiledRows,
  signal: AbortSignal,
): Promise<ColumnProfile[]> {
  const summaries = columns.map(createSummary);
  const selection = Object.fromEntries(columns.map(({ expression }, at) => [`c${at}`, expression]));
  for await (const batch of rows.read(selection)) {
    signal.throwIfAborted();
    summaries.forEach((summary, at) => {
      const data = batch.getChild(`c${at}`)?.data[0];
      if (data && data.typeId !== arrow.Type.Null) summary.add(data);
    });
    await nextTurn();
  }
  return columns.map(({ name }, at) => {
    const figures = summaries[at]!.finish();
    return {
      name,
      ...figures,
      isDistinctExact: figures.isDistinctExact && !rows.isSample,
      scope: rows.scope,
      isSample: rows.isSample,
    };
  });
}

/** Distributions of columns over the rows that match a filter: exact up to a million rows, above that of a sample. */
export async function profileTable(
  input: Parameters<TableReader['profile']>[0],
  context: CallContext,
  { home, tables, permutations }: RowsPlaces,
): Promise<{ rows: number; columns: ColumnProfile[] }> {
  const { signal } = context;
  const table = await tables.open(input, context);
  const { columns: known } = table.facts;
  const wanted = input.columns ?? known.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const infos = [...new Set(wanted)].map((name) => {
    const info = known.find((column) => column.name === name);
    if (!info) throw unknownColumn(name, table.facts);
    return info;
  });
  const place = { table: input.table, ref: input.ref, home };
  const rows = await chooseProfiledRows({ table, permutations, where: input.where, place, signal });
  const plan = planProfile(infos);
  const columns: ColumnProfile[] = [];
  for (let at = 0; at < plan.length; at += columnsAtOnce) {
    columns.push(...(await profileColumns(plan.slice(at, at + columnsAtOnce), rows, signal)));
    context.onProgress?.({ done: columns.length, total: plan.length, unit: 'columns', message: 'Counting' });
  }
  return { rows: rows.rows, columns };
}
