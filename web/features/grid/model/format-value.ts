import type { ColumnType, TimeUnit } from '#shared/domain/column-type.ts';
import { formatCount } from '../../../ui/format-quantity.ts';

/** A value as text of one line: what a cell shows and what is copied. `null` has no text of its own here. */
export function formatValue(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return 'null';
  switch (type.kind) {
    case 'dictionary':
      return formatValue(value, type.value);
    case 'bool':
      return value ? 'true' : 'false';
    case 'float16':
    case 'float32':
    case 'float64':
      return formatFloat(Number(value), type.kind);
    case 'decimal128':
    case 'decimal256':
      return formatDecimal(value as bigint | number, type.scale);
    case 'timestamp':
    case 'date32':
    case 'date64':
    case 'time32':
    case 'time64':
    case 'duration':
    case 'interval':
      return formatTime(value, type);
    case 'binary':
    case 'large_binary':
    case 'fixed_size_binary':
      return formatHex(value);
    case 'list':
    case 'large_list':
    case 'fixed_size_list':
    case 'struct':
    case 'map':
    case 'blob':
      return formatJson(value, type);
    default:
      return String(value);
  }
}

/** A value as JSON that keeps what it means: 64-bit integers, decimals and times as text. */
export function toJson(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'dictionary':
      return toJson(value, type.value);
    case 'bool':
    case 'utf8':
    case 'large_utf8':
      return value;
    case 'list':
    case 'large_list':
    case 'fixed_size_list':
      return Array.from(value as Iterable<unknown>, (item) => toJson(item, type.item));
    case 'struct':
      return Object.fromEntries(
        type.fields.map((field) => [
          field.name,
          toJson((value as Record<string, unknown>)[field.name], field.type),
        ]),
      );
    case 'map':
      return Array.from(value as Iterable<[unknown, unknown]>, ([key, item]) => [
        toJson(key, type.key),
        toJson(item, type.value),
      ]);
    case 'json':
      return parseJson(String(value));
    case 'blob':
      return Object.fromEntries(
        Object.entries(value as object).map(([name, part]) => [
          name,
          typeof part === 'bigint' ? Number(part) : part,
        ]),
      );
    case 'float16':
    case 'float32':
    case 'float64':
      return Number.isFinite(value) ? Number(shortFloat(Number(value), type.kind)) : String(value);
    default:
      return typeof value === 'number' && integer.test(type.kind) ? value : formatValue(value, type);
  }
}

const integer = /^u?int(8|16|32|64)$/;

interface Layout {
  /** Spaces per level; 0 for one line. */
  indent: number;
  depth: number;
}

type Brackets = readonly [open: string, close: string];
const square: Brackets = ['[', ']'];
const curly: Brackets = ['{', '}'];

function bracket([open, close]: Brackets, parts: readonly string[], { indent, depth }: Layout): string {
  if (parts.length === 0) return open + close;
  if (indent === 0) return `${open}${parts.join(',')}${close}`;
  const pad = ' '.repeat(indent * (depth + 1));
  return `${open}\n${parts.map((part) => pad + part).join(',\n')}\n${' '.repeat(indent * depth)}${close}`;
}

function print(value: unknown, type: ColumnType, layout: Layout): string {
  if (value === null || value === undefined) return 'null';
  const inner = { ...layout, depth: layout.depth + 1 };
  const colon = layout.indent === 0 ? ':' : ': ';
  switch (type.kind) {
    case 'dictionary':
      return print(value, type.value, layout);
    case 'list':
    case 'large_list':
    case 'fixed_size_list':
      return bracket(
        square,
        Array.from(value as Iterable<unknown>, (item) => print(item, type.item, inner)),
        layout,
      );
    case 'struct':
      return bracket(
        curly,
        type.fields.map(
          ({ name, type: field }) =>
            JSON.stringify(name) + colon + print((value as Record<string, unknown>)[name], field, inner),
        ),
        layout,
      );
    case 'map':
      return bracket(
        square,
        Array.from(value as Iterable<[unknown, unknown]>, ([key, item]) =>
          bracket(
            square,
            [print(key, type.key, { ...inner, indent: 0 }), print(item, type.value, { ...inner, indent: 0 })],
            {
              ...inner,
              indent: 0,
            },
          ),
        ),
        layout,
      );
    default:
      if (integer.test(type.kind)) return String(value);
      return JSON.stringify(toJson(value, type), null, layout.indent).replaceAll(
        '\n',
        `\n${' '.repeat(layout.indent * layout.depth)}`,
      );
  }
}

/** A nested value as JSON to be read: whole numbers stand as numbers, exact whatever their size. */
export const formatJson = (value: unknown, type: ColumnType, indent = 0): string =>
  print(value, type, { indent, depth: 0 });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Whole numbers in groups of three with thin spaces, fractions as they are; at most nine significant digits after rounding. */
export function formatNumber(value: unknown, type: ColumnType): string {
  const plain = type.kind === 'dictionary' ? type.value : type;
  if (typeof value === 'bigint' || (typeof value === 'number' && /int/.test(plain.kind)))
    return plain.kind.startsWith('decimal') ? groupDecimal(formatValue(value, plain)) : formatCount(value);
  if (typeof value === 'number' && plain.kind.startsWith('float')) {
    if (!Number.isFinite(value)) return formatFloat(value, plain.kind as 'float64');
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential(4).replace(/\.?0+e/, 'e');
    return groupDecimal(String(Number(value.toPrecision(plain.kind === 'float64' ? 9 : 7))));
  }
  return groupDecimal(formatValue(value, plain));
}

function groupDecimal(text: string): string {
  const [whole = '', fraction] = text.split('.');
  if (!/^-?\d+$/.test(whole)) return text;
  return fraction === undefined
    ? formatCount(BigInt(whole))
    : `${whole.startsWith('-') && BigInt(whole) === 0n ? '-' : ''}${formatCount(BigInt(whole))}.${fraction}`;
}

const digitsOf = { float16: 5, float32: 9, float64: 17 };
const roundTo = {
  float16: Math.f16round ?? Math.fround,
  float32: Math.fround,
  float64: (value: number) => value,
};

/** The shortest text that reads back as the same float of that width. */
function shortFloat(value: number, kind: 'float16' | 'float32' | 'float64'): string {
  if (kind === 'float64') return String(value);
  for (let digits = 1; digits < digitsOf[kind]; digits += 1) {
    const text = value.toPrecision(digits);
    if (roundTo[kind](Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

export function formatFloat(value: number, kind: 'float16' | 'float32' | 'float64'): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return Object.is(value, -0) ? '-0' : shortFloat(value, kind);
}

/** An unscaled integer with its point put in. */
export function formatDecimal(unscaled: bigint | number, scale: number): string {
  const digits = BigInt(unscaled).toString();
  if (scale <= 0) return digits + '0'.repeat(-scale);
  const isNegative = digits.startsWith('-');
  const padded = (isNegative ? digits.slice(1) : digits).padStart(scale + 1, '0');
  return `${isNegative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const hexBytes = 24;

function formatHex(value: unknown): string {
  const bytes = value as Uint8Array;
  const shown = Array.from(bytes.subarray(0, hexBytes), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return bytes.length > hexBytes ? `${shown}…` : shown;
}

const perSecond: Record<TimeUnit, bigint> = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };
const digitsOfUnit: Record<TimeUnit, number> = { s: 0, ms: 3, us: 6, ns: 9 };

/** Splits a count of units into whole seconds (rounded down) and the fraction's digits, exactly. */
function splitSeconds(count: bigint, unit: TimeUnit): { seconds: bigint; fraction: string } {
  const size = perSecond[unit];
  let rest = count % size;
  let seconds = count / size;
  if (rest < 0n) {
    rest += size;
    seconds -= 1n;
  }
  return {
    seconds,
    fraction: digitsOfUnit[unit] === 0 ? '' : rest.toString().padStart(digitsOfUnit[unit], '0'),
  };
}

/** A time exactly as it is stored: ISO 8601, instants in UTC, with every digit that its unit has. */
export function formatTime(value: unknown, type: ColumnType): string {
  switch (type.kind) {
    case 'timestamp': {
      const { seconds, fraction } = splitSeconds(BigInt(value as bigint | number), type.unit);
      const text = isoSeconds(seconds);
      if (text === null) return `${seconds} s`;
      return `${text}${fraction ? `.${fraction}` : ''}${type.timezone === null ? '' : 'Z'}`;
    }
    case 'date32':
    case 'date64':
      return isoSeconds(BigInt(Math.floor(Number(value) / 1000)))?.slice(0, -9) ?? String(value);
    case 'time32':
    case 'time64': {
      const { seconds, fraction } = splitSeconds(BigInt(value as bigint | number), type.unit);
      return `${isoSeconds(seconds)?.slice(-8) ?? seconds}${fraction.replace(/0+$/, '') ? `.${fraction.replace(/0+$/, '')}` : ''}`;
    }
    case 'duration': {
      const { seconds, fraction } = splitSeconds(BigInt(value as bigint | number), type.unit);
      return `${seconds}${fraction.replace(/0+$/, '') ? `.${fraction.replace(/0+$/, '')}` : ''} s`;
    }
    default:
      return Array.isArray(value) || ArrayBuffer.isView(value)
        ? Array.from(value as Float64Array).join(' ')
        : String(value);
  }
}

function isoSeconds(seconds: bigint): string | null {
  const ms = Number(seconds) * 1000;
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return null;
  return new Date(ms).toISOString().replace(/\.000Z$/, '');
}

const inZone = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** A time as a cell shows it: instants in the person's zone, wall-clock times as they are, without digits that say nothing. */
export function formatTimeForCell(value: unknown, type: ColumnType): string {
  if (type.kind !== 'timestamp') return formatTime(value, type);
  const { seconds, fraction } = splitSeconds(BigInt(value as bigint | number), type.unit);
  const ms = Number(seconds) * 1000;
  const digits = fraction.replace(/0+$/, '');
  const wall =
    type.timezone === null
      ? isoSeconds(seconds)?.replace('T', ' ')
      : Math.abs(ms) <= 8.64e15
        ? inZone.format(ms)
        : null;
  if (!wall) return formatTime(value, type);
  return `${wall}${digits ? `.${digits}` : ''}`;
}

/** The name of the person's zone, for tooltips. */
export const personZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Control characters as programmers write them, so that they are seen: `\0`, `\x1f`. Tabs and line breaks stay. */
export const showControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, (char) =>
    char === '\0' ? '\\0' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
