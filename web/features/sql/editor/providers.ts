import type { QueryClient } from '@tanstack/react-query';
import type { IDisposable, languages, Position } from 'monaco-editor/editor';
import { quoteText } from '#shared/sql/literal.ts';
import { statementAt } from '#shared/sql/split-statements.ts';
import { sessionQuery } from '../../../api/index.ts';
import { placeOfCaret, relationsInText } from '../model/relations-in-text.ts';
import { planSuggestions, type Suggestion, type SuggestionSources } from '../model/suggestions.ts';
import { valuePlaceOf } from '../model/value-place.ts';
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
  refs: Record<string, string>,
  client: QueryClient,
): Promise<SuggestionSources> {
  const relations = relationsInText(statement);
  const [session, functions, ...columns] = await Promise.all([
    client.ensureQueryData(sessionQuery),
    client.ensureQueryData(functionsQuery).catch(() => []),
    ...relations.map(({ name }) => columnsOf(name, refs, client)),
  ]);
  return { tables: session.tables, relations, functions, columns };
}

/** What the names in an editor mean: refs of tables, and results of earlier cells. */
export interface NameSources {
  refs: Record<string, string>;
  cells: readonly string[];
}

/** Values of the column that a text is compared with. */
async function valueSuggestions(
  model: Model,
  { sql, start, caret }: { sql: string; start: number; caret: number },
  refs: Record<string, string>,
  client: QueryClient,
): Promise<languages.CompletionList> {
  const place = valuePlaceOf(sql, caret - start);
  if (!place) return { suggestions: [] };
  const sources = await readSources(sql, refs, client);
  const [owner = '', ...rest] = place.path;
  const name = (rest.at(-1) ?? owner).toLowerCase();
  const at = sources.relations.findIndex(
    (relation, index) =>
      (rest.length === 0 || (relation.alias ?? relation.name).toLowerCase() === owner.toLowerCase()) &&
      sources.columns[index]?.some((column) => column.name.toLowerCase() === name),
  );
  const column = sources.columns[at]?.find((one) => one.name.toLowerCase() === name);
  const table = sources.relations[at]?.name;
  if (!column || table === undefined || !/utf8|dictionary/.test(column.type)) return { suggestions: [] };
  const values = await valuesOf({ table, column: column.name }, refs, client);
  const from = model.getPositionAt(start + place.start);
  const to = model.getPositionAt(start + place.end);
  const range = new monaco.Range(from.lineNumber, from.column, to.lineNumber, to.column);
  return {
    suggestions: values.map((value, index) => ({
      ...toItem(
        { kind: 'value', label: value, insert: quoteText(value), detail: column.name, rank: index },
        range,
      ),
      filterText: quoteText(value),
      sortText: String(index).padStart(4, '0'),
    })),
  };
}

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
      const { refs, cells } = namesOf();
      const place = placeOfCaret(sql, caret - start);
      if (valuePlaceOf(sql, caret - start))
        return valueSuggestions(model, { sql, start, caret }, refs, client);
      if (triggerCharacter === "'") return { suggestions: [] };
      if (place.kind === 'none' || (triggerCharacter === ' ' && place.kind !== 'table'))
        return { suggestions: [] };
      const sources = { ...(await readSources(sql, refs, client)), cells };
      const range = rangeOf(model, start + place.start, position);
      return { suggestions: planSuggestions(place, sources).map((suggestion) => toItem(suggestion, range)) };
    },
  });
  const hover = monaco.languages.registerHoverProvider(languageId, {
    async provideHover(asked, position) {
      const word = asked === model ? model.getWordAtPosition(position) : null;
      if (!word) return null;
      const statement = statementAt(model.getValue(), model.getOffsetAt(position));
      const sources = await readSources(statement?.text ?? '', namesOf().refs, client);
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
): languages.CompletionItem {
  return {
    label,
    kind: kinds[kind],
    insertText: insert,
    insertTextRules: kind === 'function' ? CompletionItemInsertTextRule.InsertAsSnippet : undefined,
    detail,
    documentation,
    filterText: insert.startsWith('"') ? `${insert} ${label}` : label,
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
