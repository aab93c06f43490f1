import { AppError } from '../api/problem.ts';
import { SavedText, type SavedTextInput } from '../api/queries.ts';
import { didYouMean } from './near-names.ts';

/** What a file holds: a saved query, and its id where it has one. */
export interface QueryFile {
  id: string | null;
  text: SavedText;
}

const fence = '-- ---';
const format = 1;
const maxFileLength = 2_000_000;
const keys = [
  'curio-query',
  'id',
  'name',
  'description',
  'visibility',
  'refs',
  'params',
  'charts',
  'view',
] as const;
/** Values that may stand without quotes in files that people write. */
const plainKeys: ReadonlySet<string> = new Set(['id', 'name', 'description', 'visibility']);

const sortedRefs = (refs: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(refs).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * A saved query as a plain `.sql` file: a comment with its facts, each a key with a JSON value, then the SQL as it is.
 * DuckDB runs the file too. Format: docs/queries.md.
 */
export function formatQueryFile({ id, text }: QueryFile): string {
  const facts: [string, unknown][] = [
    ['curio-query', format],
    ...(id === null ? [] : [['id', id] as [string, unknown]]),
    ['name', text.name],
    ...(text.description === '' ? [] : [['description', text.description] as [string, unknown]]),
    ['visibility', text.visibility],
    ['refs', sortedRefs(text.refs)],
    ...(text.params.length === 0 ? [] : [['params', text.params] as [string, unknown]]),
    ...(text.charts === undefined ? [] : [['charts', text.charts] as [string, unknown]]),
    ...(text.view === undefined ? [] : [['view', text.view] as [string, unknown]]),
  ];
  const head = facts.map(([key, value]) => `-- ${key}: ${JSON.stringify(value)}`);
  return `${[fence, ...head, fence].join('\n')}\n${text.sql === undefined ? '' : `${text.sql}\n`}`;
}

const refused = (line: number | null, why: string, hint?: string): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: line === null ? `${why}.` : `Line ${line}: ${why}.`,
    hint: hint ?? 'docs/queries.md describes the file; a plain SQL file without a head is fine too.',
    ...(line === null ? {} : { at: { line, column: 1 } }),
  });

function readFact(line: string, number: number): [string, unknown] {
  const match = /^--\s?([A-Za-z-]+)\s*:\s*(.*)$/s.exec(line);
  if (!match) throw refused(number, `“${line.slice(0, 60)}” is not “-- key: value”`);
  const [, key = '', value = ''] = match;
  if (!keys.some((known) => known === key))
    throw refused(number, `“${key}” is no fact of a query`, didYouMean(key, keys));
  try {
    return [key, JSON.parse(value)];
  } catch {
    if (plainKeys.has(key)) return [key, value.trim()];
    throw refused(number, `the value of “${key}” is not JSON`);
  }
}

/** Where the body begins, and the facts above it; no facts for plain SQL. */
function readHead(text: string): { facts: Map<string, unknown>; body: string; hasHead: boolean } {
  const facts = new Map<string, unknown>();
  const first = /^-- ---[ \t]*\r?\n/.exec(text);
  if (!first) return { facts, body: text, hasHead: false };
  let at = first[0].length;
  for (let number = 2; at < text.length; number += 1) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, '');
    at = next;
    if (line.trim() === fence) return { facts, body: text.slice(at), hasHead: true };
    if (line.trim() === '--') continue;
    const [key, value] = readFact(line, number);
    if (facts.has(key)) throw refused(number, `“${key}” stands there twice`);
    facts.set(key, value);
  }
  throw refused(
    null,
    'The head that begins with “-- ---” has no end',
    'Close it with another line “-- ---”.',
  );
}

/** Inverse of {@link formatQueryFile}. A plain SQL file takes its name from `fallbackName`. INVALID_FILE says what is wrong, and where. */
export function parseQueryFile(content: string, fallbackName: string): QueryFile {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
  if (text.length > maxFileLength) throw refused(null, 'The file is larger than a query may be');
  if (text.includes('\0') || text.includes('\uFFFD')) throw refused(null, 'The file is not UTF-8 text');
  const { facts, body, hasHead } = readHead(text);
  if (hasHead && facts.get('curio-query') !== format)
    throw facts.has('curio-query')
      ? refused(
          null,
          `The file says format ${JSON.stringify(facts.get('curio-query'))}; this Curio reads ${format}`,
          'Open it in a newer Curio.',
        )
      : refused(null, 'The head has no line “-- curio-query: 1”');
  const id = facts.get('id') ?? null;
  if (id !== null && (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)))
    throw refused(null, 'The id has other characters than letters, digits, “-” and “_”');
  const sql = body.replace(/\r?\n$/, '');
  const isView = facts.has('view');
  if (isView && sql.trim() !== '')
    throw refused(null, 'The file has a view and SQL; it can have one of them');
  if (!isView && sql.trim() === '') throw refused(null, 'The file has no SQL');
  const draft: Record<string, unknown> = {
    name: facts.get('name') ?? fallbackName,
    ...(isView ? { view: facts.get('view') } : { sql }),
  };
  for (const key of ['description', 'visibility', 'refs', 'params', 'charts'] as const)
    if (facts.has(key)) draft[key] = facts.get(key);
  const parsed = SavedText.safeParse(draft satisfies Record<string, unknown> as SavedTextInput);
  if (parsed.success) return { id, text: parsed.data };
  const [issue] = parsed.error.issues;
  throw refused(null, `${issue?.path.join('.') || 'The file'}: ${issue?.message ?? 'not a query'}`);
}

/** The name of a query's file: `rows-by-label.sql`. Not unique: names that differ in marks only give the same. */
export function queryFileName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return `${slug === '' ? 'query' : slug}.sql`;
}
