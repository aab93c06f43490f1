import type { Field, StructType } from '@uwdata/flechette';
import { DiffSummary } from '#shared/api/edits.ts';
import type { ArrowRows } from '../../api/index.ts';
import { type GridColumn, gridColumnsOfFields } from '../grid/index.ts';
import { type Change, type ChangeRecord, parseChange } from './model/change.ts';

/** A window of changed rows with what is known of the whole comparison. */
export interface ChangesPage {
  changes: Change[];
  columns: GridColumn[];
  /** Rows that the filter lets through, whatever window travels. */
  total: number;
  /** Rides along with the rows, so that opening a comparison is one request. */
  summary: DiffSummary | null;
  elapsedMs: number | null;
}

const summaryKey = 'curio.summary';
const sides = ['from', 'into', 'base'] as const;
const named = ['_key', '_rowids', '_change', '_columns', '_conflict', ...sides] as const;

/** Reads the answer of `diff/rows`. */
export function decodeChanges({ table, facts }: ArrowRows): ChangesPage {
  const parts = named.map((name) => [name, table.getChild(name)] as const);
  const changes: Change[] = [];
  for (let index = 0; index < table.numRows; index += 1) {
    changes.push(
      parseChange(
        Object.fromEntries(
          parts.map(([name, column]) => [name, column?.at(index) ?? null]),
        ) as unknown as ChangeRecord,
      ),
    );
  }
  return {
    changes,
    columns: columnsOfSides(table.schema.fields),
    total: facts.total ?? changes.length,
    summary: readSummary(facts.all.get(summaryKey)),
    elapsedMs: facts.elapsedMs,
  };
}

/** The columns of all sides: as `from` orders them, then what only the other sides have. */
function columnsOfSides(fields: readonly Field[]): GridColumn[] {
  const found = new Map<string, GridColumn>();
  for (const side of sides) {
    const type = fields.find(({ name }) => name === side)?.type as StructType | undefined;
    for (const column of gridColumnsOfFields(type?.children ?? []))
      if (!found.has(column.name)) found.set(column.name, column);
  }
  return [...found.values()];
}

function readSummary(text: string | undefined): DiffSummary | null {
  if (text === undefined) return null;
  const parsed = DiffSummary.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
