import { AppError, abortedError, isAppError, type TextPlace } from '../api/problem.ts';
import { didYouMean } from '../domain/near-names.ts';

/** What the translation may know beside DuckDB's error. */
export interface ErrorContext {
  /** The text that positions count in. */
  sql: string;
  /** Added to positions: DuckDB counts from the beginning of the statement that it was given. */
  offset?: number;
  /** Columns that the statement could name, for near names. */
  columns?: readonly string[];
  /** Names that the statement uses and that are no tables, with the reason and what to do. */
  missing?: readonly { name: string; message: string; hint?: string }[];
}

interface DuckFacts {
  exception_type?: string;
  exception_message?: string;
  position?: string;
  error_subtype?: string;
  name?: string;
  type?: string;
  candidates?: string;
}

/** DuckDB's JSON error, or its plain text as far as it says a kind. */
function readFacts(text: string): DuckFacts {
  const json = text.indexOf('{"');
  if (json !== -1) {
    try {
      return JSON.parse(text.slice(json)) as DuckFacts;
    } catch {
      // not JSON: read it as text
    }
  }
  const [, kind, message] = /^([A-Za-z ]+) Error: ([\s\S]*)$/.exec(text) ?? [];
  return { exception_type: kind ?? 'Unknown', exception_message: message ?? text };
}

/** Line and column, from 1, of a byte offset into a text. */
export function placeOfByte(sql: string, byte: number): TextPlace {
  const before = new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, byte));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

const placeOf = ({ position }: DuckFacts, { sql, offset = 0 }: ErrorContext): TextPlace | undefined => {
  const byte = Number(position);
  return position === undefined || !Number.isFinite(byte) ? undefined : placeOfByte(sql, byte + offset);
};

const firstLine = (text: string): string => text.split('\n')[0]?.trim() ?? text;

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text.replace(/!$/, '.') : `${text}.`);

/** SQL_SYNTAX for a statement that is nested deeper than the engine follows. */
export const nestedTooDeep = (at?: TextPlace, cause?: unknown): AppError =>
  new AppError({
    code: 'SQL_SYNTAX',
    message: 'The statement is nested too deeply.',
    hint: 'Write long chains as lists (x IN (…), concat(…), list_sum([…])), or in steps with WITH.',
    at,
    cause,
  });

/** Turns what DuckDB throws into the one error type; the only place that reads its texts. */
export function translateDuckError(error: unknown, context: ErrorContext): AppError {
  if (isAppError(error)) return error;
  const facts = readFacts(error instanceof Error ? error.message : String(error));
  const text = facts.exception_message ?? '';
  const at = placeOf(facts, context);
  if (/^Max expression depth limit/.test(text)) return nestedTooDeep(at, error);
  const make = (code: AppError['code'], message: string, hint?: string) =>
    new AppError({ code, message: withStop(message), hint, at, cause: error });
  switch (facts.exception_type) {
    case 'INTERRUPT':
    case 'Interrupt':
      return abortedError();
    case 'Parser':
    case 'Syntax':
      return make('SQL_SYNTAX', sentence(text), refHint(text, context, at) ?? 'Curio reads DuckDB’s SQL.');
    case 'Catalog':
      return catalogError(facts, context, make);
    case 'Binder':
      return binderError(facts, context, make);
    case 'Permission':
      return make(
        'FORBIDDEN',
        'Statements cannot reach files, the network or the system.',
        'Import the file as a table first; then read it by its name.',
      );
    case 'Out of Memory':
      return make(
        'MEMORY',
        'The statement needs more memory than the engine may use',
        'Read fewer columns, filter earlier, or aggregate before you join or sort.',
      );
    case 'TransactionContext':
      return make('FORBIDDEN', 'Statements here only read', readOnlyHint);
    case 'Extension Autoloading':
      return needsExtension(/extension '(\w+)'/.exec(text)?.[1] ?? '', make);
    case 'Not implemented':
    case 'Missing Extension':
      return make('UNSUPPORTED', sentence(text));
    case 'Unknown':
      return new AppError({
        code: 'INTERNAL',
        message: 'The SQL engine met an error that it does not know.',
        cause: error,
      });
    case 'FATAL':
    case 'INTERNAL':
    case 'Fatal':
    case 'Internal':
      return new AppError({
        code: 'INTERNAL',
        message: 'DuckDB met an error of its own in this statement.',
        hint: 'Write it in another way; other statements are not affected.',
        cause: error,
      });
    case 'Invalid Input':
      return /prepared statement parameters|Expected \d+ parameters/.test(text)
        ? make(
            'BAD_REQUEST',
            `A parameter has no value: ${firstLine(text)}`,
            'Give every $name or ? of the statement a value in params.',
          )
        : make('BAD_REQUEST', sentence(text));
    default:
      return make('BAD_REQUEST', sentence(text));
  }
}

/** A ref after a name without quotes is the slip that people make here. */
function refHint(text: string, { sql }: ErrorContext, at: TextPlace | undefined): string | undefined {
  if (!/near "@/.test(text)) return undefined;
  const line = at && sql.split('\n')[at.line - 1];
  for (const { 0: name, index } of (line ?? '').matchAll(/[\p{L}_][\w.]*@[\w:./-]*\w/gu)) {
    if (at && index < at.column && at.column <= index + name.length)
      return `A table at another ref stands in double quotes: "${name}".`;
  }
  return 'A table at another ref stands in double quotes: "name@branch".';
}

export const readOnlyHint =
  'Change rows on a branch: select them in the table and edit, or POST …/edits. SQL reads; merge brings the branch to main.';

type Make = (code: AppError['code'], message: string, hint?: string) => AppError;

const sentence = (text: string): string => {
  const line = firstLine(text);
  return line.charAt(0).toUpperCase() + line.slice(1);
};

const candidatesOf = ({ candidates = '', exception_message = '' }: DuckFacts): string[] => {
  const named = candidates.split(',').map((name) => name.trim());
  const quoted = /Candidate (?:bindings|tables): :? ?(.*)/.exec(exception_message)?.[1] ?? '';
  return [...named, ...[...quoted.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? '')].filter(
    (name) => name !== '',
  );
};

const needsExtension = (extension: string, make: Make): AppError =>
  make('UNSUPPORTED', `This needs DuckDB’s extension ${extension}, which is not here`);

function catalogError(facts: DuckFacts, { missing = [] }: ErrorContext, make: Make): AppError {
  const { type = '', name = '', exception_message: text = '' } = facts;
  const extension = /exists in the (\S+) extension/.exec(text)?.[1];
  if (extension !== undefined) return needsExtension(extension, make);
  if (type === 'Table') {
    const known = missing.find((other) => other.name.toLowerCase() === name.toLowerCase());
    if (known) return make('SQL_BIND', known.message, known.hint);
    return make('SQL_BIND', `There is no table “${name}”`, didYouMean(name, candidatesOf(facts)));
  }
  const what = type === '' ? 'name' : type.toLowerCase();
  return make(
    'SQL_BIND',
    name === '' ? sentence(text) : `There is no ${what} “${name}”`,
    didYouMean(name, candidatesOf(facts)),
  );
}

function binderError(facts: DuckFacts, { columns = [] }: ErrorContext, make: Make): AppError {
  const { exception_message: text = '', error_subtype, candidates = '' } = facts;
  const name =
    facts.name ??
    /does not have a column named "([^"]+)"/.exec(text)?.[1] ??
    /Column "([^"]+)" does not exist/.exec(text)?.[1];
  if (
    error_subtype === 'COLUMN_NOT_FOUND' ||
    /does not have a column named|Column "[^"]+" does not exist/.test(text)
  ) {
    if (name !== undefined) {
      const hint = didYouMean(name, new Set([...candidatesOf(facts), ...columns])) ?? listOf(columns);
      return make('SQL_BIND', `There is no column “${name}”`, hint);
    }
  }
  if (error_subtype === 'NO_MATCHING_FUNCTION') {
    return make(
      'SQL_BIND',
      firstLine(text),
      `It takes ${candidates.split(',').join(', ').replaceAll(' -> ', ' → ')}.`,
    );
  }
  if (/table function but it was used as a scalar/.test(text)) return make('SQL_BIND', firstLine(text));
  const [first = '', ...more] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return make('SQL_BIND', sentence(first), more.length > 0 ? more.join(' ') : undefined);
}

const shownColumns = 12;

function listOf(columns: readonly string[]): string | undefined {
  if (columns.length === 0) return undefined;
  const shown = columns.slice(0, shownColumns).join(', ');
  return `There are ${shown}${columns.length > shownColumns ? `, and ${columns.length - shownColumns} more` : ''}.`;
}
