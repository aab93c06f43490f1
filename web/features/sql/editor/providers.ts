import type { QueryClient } from '@tanstack/react-query';
import type { IDisposable, languages, Position } from 'monaco-editor/editor';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { statementAt } from '#shared/sql/split-statements.ts';
import { sessionQuery } from '../../../api/index.ts';
import { placeOfCaret, relationsInText } from '../model/relations-in-text.ts';
import { planSuggestions, type Suggestion, type SuggestionSources } from '../model/suggestions.ts';
import { type ValuePlace, valuePlaceOf } from '../model/value-place.ts';
import { withNamesIn } from '../model/with-names.ts';
import { columnsOf, functionsQuery, valuesOf } from '../queries.ts';
import { monaco } from './monaco.ts';
import { languageId } from './sql-language.ts';

type Model = Parameters<languages.CompletionItemProvider['provideCompletionItems']>[0];

const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages;

const kinds: Record<Suggestion['kind'], languages.CompletionItemKind> = {
  table: CompletionItemKind.Class,
  ref: CompletionItemKind.Reference,
  column: CompletionItemKind.Field,
  alias: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
  value: CompletionItemKind.Value,
};

/** What suggestions and hovers are made from, for the statement around a place. */
async function readSources(
  statement: string,
  names: NameSources,
  client: QueryClient,
): Promise<SuggestionSources> {
  const withs = withNamesIn(statement);
  const named = relationsInText(statement);
  const isNamed = (name: string) => named.some((one) => one.name.toLowerCase() === name.toLowerCase());
  const relations = [
    ...named,
    ...withs.filter(({ name }) => !isNamed(name)).map(({ name }) => ({ name, alias: null })),
  ];
  const find = (name: string): Promise<ColumnInfo[]> => {
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const own = withs.find((one) => isSame(one.name));
    if (own) return names.describe(own.sql);
    return names.cells.some(isSame)
      ? names.describe(`SELECT * FROM ${quoteIdent(name)}`)
      : columnsOf(name, names.refs, client);
  };
  const [session, functions, ...columns] = await Promise.all([
    client.ensureQueryData(sessionQuery),
    client.ensureQueryData(functionsQuery).catch(() => []),
    ...relations.map(({ name }) => find(name)),
  ]);
  return {
    tables: session.tables,
    relations,
    functions,
    columns,
    cells: names.cells,
    withNames: withs.map(({ name }) => name),
  };
}

/** What the names in an editor mean: refs of tables, and results of earlier cells. */
export interface NameSources {
  refs: Record<string, string>;
  cells: readonly string[];
  /** Columns of a statement that may read the earlier cells. */
  describe(sql: string): Promise<ColumnInfo[]>;
}

const hasValues = /utf8|dictionary|^u?int|^float|^decimal|^bool/;

/** Values of the column that one is compared with. */
async function valuesAt(
  { path }: ValuePlace,
  sources: SuggestionSources,
  { refs }: NameSources,
  client: QueryClient,
): Promise<Suggestion[]> {
  const [owner = '', ...rest] = path;
  const name = (rest.at(-1) ?? owner).toLowerCase();
  const at = sources.relations.findIndex(
    (relation, index) =>
      (rest.length === 0 || (relation.alias ?? relation.name).toLowerCase() === owner.toLowerCase()) &&
      sources.columns[index]?.some((column) => column.name.toLowerCase() === name),
  );
  const column = sources.columns[at]?.find((one) => one.name.toLowerCase() === name);
  const table = sources.relations[at]?.name;
  if (!column || table === undefined || !hasValues.test(column.type)) return [];
  const values = column.type.startsWith('bool')
    ? ['true', 'false']
    : await valuesOf({ table, column: column.name }, refs, client);
  return values.map((insert) => ({ kind: 'value', label: insert, insert, detail: column.name, rank: 0 }));
}

/** Values first, in their order. */
const toValueItem = (
  suggestion: Suggestion,
  range: InstanceType<typeof monaco.Range>,
  index: number,
): languages.CompletionItem => {
  const isBare = !suggestion.insert.startsWith("'") || range.isEmpty();
  const item = toItem(suggestion, range, false);
  const label = suggestion.label.replace(/^'(.*)'$/s, (_all, text: string) => text.replaceAll("''", "'"));
  return {
    ...item,
    label,
    filterText: isBare ? label : suggestion.insert,
    sortText: ` ${String(index).padStart(4, '0')}`,
  };
};

/** Suggestions and hovers of one editor; `namesOf` says what bare names mean in it. */
export function registerProviders(
  model: Model,
  namesOf: () => NameSources,
  client: QueryClient,
): IDisposable {
  const complete = monaco.languages.registerCompletionItemProvider(languageId, {
    triggerCharacters: ['.', '"', ' ', '@', "'"],
    async provideCompletionItems(asked, position, { triggerCharacter }) {
      if (asked !== model) return { suggestions: [] };
      const text = model.getValue();
      const caret = model.getOffsetAt(position);
      const statement = statementAt(text, caret);
      const start = statement && caret <= statement.end + 1 ? statement.start : caret;
      const end = statement && caret <= statement.end + 1 ? Math.max(statement.end, caret) : caret;
      const sql = text.slice(start, end);
      const names = namesOf();
      const place = placeOfCaret(sql, caret - start);
      const compared = valuePlaceOf(sql, caret - start);
      const hasOthers =
        !compared?.isQuoted &&
        place.kind !== 'none' &&
        triggerCharacter !== "'" &&
        (triggerCharacter !== ' ' || place.kind === 'table' || compared !== null);
      if (!compared && !hasOthers) return { suggestions: [] };
      const sources = await readSources(sql, names, client);
      const values = compared ? await valuesAt(compared, sources, names, client) : [];
      if (triggerCharacter === ' ' && compared && values.length === 0) return { suggestions: [] };
      const valueRange = spanOf(model, start + (compared?.start ?? 0), start + (compared?.end ?? 0));
      const range = rangeOf(model, start + place.start, position);
      const hasQuote = model.getValueInRange(range).startsWith('"');
      return {
        suggestions: [
          ...values.map((value, index) => toValueItem(value, valueRange, index)),
          ...(hasOthers ? planSuggestions(place, sources) : []).map((other) =>
            toItem(other, range, hasQuote),
          ),
        ],
      };
    },
  });
  const hover = monaco.languages.registerHoverProvider(languageId, {
    async provideHover(asked, position) {
      const word = asked === model ? model.getWordAtPosition(position) : null;
      if (!word) return null;
      const statement = statementAt(model.getValue(), model.getOffsetAt(position));
      const sources = await readSources(statement?.text ?? '', namesOf(), client);
      const lines = describeWord(word.word, sources);
      return lines.length === 0 ? null : { contents: lines.map((value) => ({ value })) };
    },
  });
  return {
    dispose() {
      complete.dispose();
      hover.dispose();
    },
  };
}

function spanOf(model: Model, start: number, end: number) {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
  return new monaco.Range(from.lineNumber, from.column, to.lineNumber, to.column);
}

/** From the beginning of the word to the caret, with the quote that follows where one was opened. */
function rangeOf(model: Model, start: number, caret: Position) {
  const from = model.getPositionAt(start);
  const line = model.getLineContent(caret.lineNumber);
  const hasQuote =
    line[from.column - 1] === '"' && line[caret.column - 1] === '"' && caret.column > from.column;
  return new monaco.Range(from.lineNumber, from.column, caret.lineNumber, caret.column + (hasQuote ? 1 : 0));
}

function toItem(
  { kind, label, insert, detail, documentation, rank }: Suggestion,
  range: InstanceType<typeof monaco.Range>,
  hasQuote: boolean,
): languages.CompletionItem {
  return {
    label,
    kind: kinds[kind],
    insertText: insert,
    insertTextRules: kind === 'function' ? CompletionItemInsertTextRule.InsertAsSnippet : undefined,
    detail,
    documentation,
    filterText: hasQuote ? `"${label}"` : label,
    sortText: `${rank}${label}`,
    range,
  };
}

function describeWord(word: string, { relations, columns, functions, tables }: SuggestionSources): string[] {
  const isWord = (name: string) => name.toLowerCase() === word.toLowerCase();
  const found = relations.flatMap(({ name }, index) =>
    (columns[index] ?? [])
      .filter((column) => isWord(column.name))
      .map(
        (column) =>
          `**${column.name}** \`${column.type}\` in ${name}${column.description === '' ? '' : `\n\n${column.description}`}`,
      ),
  );
  if (found.length > 0) return found;
  const table = tables.find(({ name }) => isWord(name));
  if (table)
    return [
      `**${table.name}** ${table.rows.toLocaleString('en')} rows${table.description === '' ? '' : `\n\n${table.description}`}`,
    ];
  const known = functions.find(({ name }) => isWord(name));
  if (!known) return [];
  const signatures = known.parameters.slice(0, 6).map((parameters) => `\`${known.name}(${parameters})\``);
  return [`${signatures.join('  \n')}${known.description === null ? '' : `\n\n${known.description}`}`];
}
