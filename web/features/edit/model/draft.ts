import { toInstant } from '#shared/domain/instant.ts';
import { type EditorKind, zoneOf } from './editor-kind.ts';

/** What a person has typed so far: text, the chosen tags, or yes and no; `null` is the empty cell. */
export type Draft = string | string[] | boolean | null;

export type Parsed = { isValid: true; value: unknown } | { isValid: false; problem: string };

export interface DraftColumn {
  type: string;
  nullable: boolean;
}

const valid = (value: unknown): Parsed => ({ isValid: true, value });
const invalid = (problem: string): Parsed => ({ isValid: false, problem });

const integerBounds = (type: string): { min: bigint; max: bigint } => {
  const [, sign = '', bits = '64'] = /^(u?)int(\d+)/.exec(type) ?? [];
  const size = BigInt(bits);
  return sign === 'u'
    ? { min: 0n, max: (1n << size) - 1n }
    : { min: -(1n << (size - 1n)), max: (1n << (size - 1n)) - 1n };
};

const pad = (value: number, size = 2): string => String(value).padStart(size, '0');

/** `2024-05-01T13:45:00.250` in the person's zone, or in UTC for a column without a zone. */
function toWallClock(ms: number, isLocal: boolean): string {
  const at = new Date(isLocal ? ms - new Date(ms).getTimezoneOffset() * 60_000 : ms);
  const text = `${pad(at.getUTCFullYear(), 4)}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}T${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}`;
  return at.getUTCMilliseconds() === 0 ? text : `${text}.${pad(at.getUTCMilliseconds(), 3)}`;
}

const jsonReplacer = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Map) return Object.fromEntries(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>);
  return value;
};

/** The draft that an editor starts from. */
export function toDraft(kind: EditorKind, value: unknown, { type }: Pick<DraftColumn, 'type'>): Draft {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'boolean':
      return value === true;
    case 'tags':
      return Array.from(value as Iterable<unknown>, String);
    case 'json':
      return typeof value === 'string' ? value : JSON.stringify(value, jsonReplacer, 2);
    case 'timestamp': {
      const ms = toInstant(value, type);
      return ms === null ? String(value) : toWallClock(ms, zoneOf(type) !== null);
    }
    case 'date': {
      const ms = toInstant(value, type);
      return ms === null ? String(value) : toWallClock(ms, false).slice(0, 10);
    }
    case 'text':
    case 'label':
    case 'integer':
    case 'number':
      return String(value);
  }
}

function parseInteger(text: string, type: string): Parsed {
  const plain = text.replace(/[\s_,\u2009\u202f\u00a0]/g, '');
  if (!/^[+-]?\d+$/.test(plain)) return invalid(`“${text}” is not a whole number.`);
  const value = BigInt(plain);
  const { min, max } = integerBounds(type);
  if (value < min || value > max) return invalid(`${type} holds ${min} to ${max}.`);
  return valid(/64$/.test(type) ? value.toString() : Number(value));
}

function parseNumber(text: string, type: string): Parsed {
  const plain = text.trim().replace(/[\s\u2009\u202f\u00a0]/g, '');
  if (type.startsWith('decimal'))
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain)
      ? valid(plain)
      : invalid(`“${text}” is not a decimal number.`);
  if (/^nan$/i.test(plain)) return valid('NaN');
  if (/^[+-]?inf(inity)?$/i.test(plain)) return valid(plain.startsWith('-') ? '-Infinity' : 'Infinity');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain))
    return invalid(`“${text}” is not a number. Use a point for decimals.`);
  return valid(Number(plain));
}

function parseTimestamp(text: string, type: string): Parsed {
  const match = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text.trim());
  if (!match) return invalid(`“${text}” is not a date with a time, like 2024-05-01 13:45:00.`);
  const [year, month, day, hour, minute, second, fraction] = match.slice(1).map((part) => part ?? '0');
  const parts = [
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number((fraction ?? '0').padEnd(3, '0')),
  ] as const;
  const asUtc = new Date(Date.UTC(...parts));
  if (
    asUtc.getUTCMonth() !== parts[1] ||
    asUtc.getUTCDate() !== parts[2] ||
    asUtc.getUTCHours() !== parts[3] ||
    asUtc.getUTCMinutes() !== parts[4]
  )
    return invalid(`${text} is not in the calendar.`);
  const at = zoneOf(type) === null ? asUtc : new Date(...parts);
  return valid(zoneOf(type) === null ? at.toISOString().replace('Z', '') : at.toISOString());
}

function parseDate(text: string): Parsed {
  const plain = text.trim();
  const ms = /^\d{4}-\d\d-\d\d$/.test(plain) ? Date.parse(plain) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== plain)
    return invalid(`“${text}” is not a date, like 2024-05-01.`);
  return valid(plain);
}

function parseJson(text: string, type: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    return invalid(`This is not JSON: ${error instanceof Error ? error.message : 'it does not parse'}.`);
  }
  if (/^(utf8|large_utf8|string|json|large_binary|binary)/.test(type)) return valid(text);
  const isList = Array.isArray(value);
  if (/^(large_)?list/.test(type) && !isList) return invalid('This column holds lists: […].');
  if (/^(struct|map)/.test(type) && (isList || typeof value !== 'object' || value === null))
    return invalid('This column holds fields: {…}.');
  return valid(value);
}

/** Checks what was typed and gives the value as an edit carries it. */
export function parseDraft(kind: EditorKind, draft: Draft, { type, nullable }: DraftColumn): Parsed {
  if (draft === null) return nullable ? valid(null) : invalid('This column must have a value.');
  if (typeof draft === 'boolean' || Array.isArray(draft)) return valid(draft);
  if (kind === 'text' || kind === 'label') return valid(draft);
  if (draft.trim() === '') return nullable ? valid(null) : invalid('This column must have a value.');
  switch (kind) {
    case 'integer':
      return parseInteger(draft, type);
    case 'number':
      return parseNumber(draft, type);
    case 'timestamp':
      return parseTimestamp(draft, type);
    case 'date':
      return parseDate(draft);
    case 'json':
      return parseJson(draft, type);
    case 'boolean':
      return draft === 'true' || draft === 'false' ? valid(draft === 'true') : invalid('Choose yes or no.');
    case 'tags':
      return valid(
        draft
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      );
  }
}

/** Whether a draft says something else than the cell already holds. */
export const isSameDraft = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b);
