import type { Session } from '#shared/api/session.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { keywords } from './keywords.ts';
import { writeName } from './quote-name.ts';
import type { CaretPlace, NamedRelation } from './relations-in-text.ts';

export interface SqlFunction {
  name: string;
  kind: string;
  description: string | null;
  parameters: string[];
}

export interface Suggestion {
  kind: 'table' | 'ref' | 'column' | 'alias' | 'function' | 'keyword' | 'value';
  label: string;
  /** What is written; `$0` stands for the caret in functions. */
  insert: string;
  detail: string;
  documentation?: string;
  /** Sorts before the label. */
  rank: number;
}

export interface SuggestionSources {
  tables: Session['tables'];
  relations: readonly NamedRelation[];
  /** Columns of the relations, in the same order; empty where they are not known. */
  columns: readonly (readonly ColumnInfo[])[];
  functions: readonly SqlFunction[];
  /** Earlier cells of the notebook: their results stand for tables. */
  cells?: readonly string[];
  /** Names of the statement's own WITH. */
  withNames?: readonly string[];
}

/** What may stand at the caret. */
export function planSuggestions(place: CaretPlace, sources: SuggestionSources): Suggestion[] {
  switch (place.kind) {
    case 'none':
      return [];
    case 'member':
      return membersOf(place.path, sources);
    case 'table':
      return tableSuggestions(sources);
    case 'column':
      return [
        ...columnSuggestions(sources),
        ...aliasSuggestions(sources),
        ...functionSuggestions(sources),
        ...keywordSuggestions(),
      ];
  }
}

const named = (names: readonly string[], detail: string): Suggestion[] =>
  names.map((name) => ({ kind: 'alias', label: name, insert: writeName(name), detail, rank: 0 }));

function tableSuggestions({ tables, cells = [], withNames = [] }: SuggestionSources): Suggestion[] {
  return [
    ...named(withNames, 'of this statement'),
    ...named(cells, 'result of an earlier cell'),
    ...tables.flatMap((table) => [
      {
        kind: 'table' as const,
        label: table.name,
        insert: writeName(table.name),
        detail: `${table.rows.toLocaleString('en')} rows`,
        documentation: table.description,
        rank: 0,
      },
      ...table.branches
        .filter(({ name }) => name !== 'main')
        .map((branch) => ({
          kind: 'ref' as const,
          label: `${table.name}@${branch.name}`,
          insert: quoteIdent(`${table.name}@${branch.name}`),
          detail: `branch, version ${branch.version}`,
          rank: 1,
        })),
    ]),
  ];
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const columnSuggestion = (column: ColumnInfo, of: string): Suggestion => ({
  kind: 'column',
  label: column.name,
  insert: writeName(column.name),
  detail: column.type,
  documentation: [column.description, `in ${of}`].filter((text) => text !== '').join('\n\n'),
  rank: column.hidden ? 3 : 0,
});

function columnSuggestions({ relations, columns }: SuggestionSources): Suggestion[] {
  const seen = new Set<string>();
  return relations.flatMap(({ name }, index) =>
    (columns[index] ?? []).flatMap((column) => {
      const key = column.name.toLowerCase();
      if (seen.has(key)) return [];
      seen.add(key);
      return [columnSuggestion(column, name)];
    }),
  );
}

const aliasSuggestions = ({ relations }: SuggestionSources): Suggestion[] =>
  relations.map(({ name, alias }) => ({
    kind: 'alias',
    label: alias ?? name,
    insert: writeName(alias ?? name),
    detail: alias === null ? 'table' : name,
    rank: 1,
  }));

const functionSuggestions = ({ functions }: SuggestionSources): Suggestion[] =>
  functions.map(({ name, kind, description, parameters }) => ({
    kind: 'function',
    label: name,
    insert: `${name}($0)`,
    detail: parameters[0] === undefined ? kind : `(${parameters[0]})`,
    documentation: description ?? undefined,
    rank: 2,
  }));

const keywordSuggestions = (): Suggestion[] =>
  keywords.map((word) => ({ kind: 'keyword', label: word, insert: word.toLowerCase(), detail: '', rank: 4 }));

/** Columns of a relation, or fields of a struct column. */
function membersOf(path: readonly string[], { relations, columns }: SuggestionSources): Suggestion[] {
  const [owner = '', ...rest] = path;
  const at = relations.findIndex(({ name, alias }) => sameName(alias ?? name, owner));
  if (at !== -1 && rest.length === 0)
    return (columns[at] ?? []).map((column) => columnSuggestion(column, relations[at]?.name ?? ''));
  const [column, ...fields] = at === -1 ? path : rest;
  const info = (at === -1 ? columns.flat() : (columns[at] ?? [])).find(({ name }) =>
    sameName(name, column ?? ''),
  );
  return info
    ? fieldsOf(info.type, fields).map((field) => ({
        kind: 'column',
        label: field.name,
        insert: writeName(field.name),
        detail: field.type,
        rank: 0,
      }))
    : [];
}

/** The fields that blob cells have in SQL. */
const blobFields = [
  { name: 'kind', type: 'utf8' },
  { name: 'sizeBytes', type: 'float64' },
  { name: 'contentType', type: 'utf8' },
  { name: 'hash', type: 'utf8' },
  { name: 'url', type: 'utf8' },
];

function fieldsOf(typeText: string, path: readonly string[]): { name: string; type: string }[] {
  try {
    let type = parseColumnType(typeText);
    for (const name of path) {
      const field = type.kind === 'struct' ? type.fields.find((one) => sameName(one.name, name)) : undefined;
      if (!field) return [];
      type = field.type;
    }
    if (type.kind === 'struct')
      return type.fields.map((field) => ({ name: field.name, type: field.type.kind }));
    return type.kind === 'blob' || type.kind === 'binary' || type.kind === 'large_binary' ? blobFields : [];
  } catch {
    return [];
  }
}
