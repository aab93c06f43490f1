import type { Cursor } from './cursor.ts';
import { syntaxProblem } from './source.ts';
import { int, readValueType, type ValueType } from './value-type.ts';

const sqlTypes: Record<string, ValueType> = {
  tinyint: int(8, true),
  smallint: int(16, true),
  int: int(32, true),
  integer: int(32, true),
  bigint: int(64, true),
  utinyint: int(8, false),
  usmallint: int(16, false),
  uinteger: int(32, false),
  ubigint: int(64, false),
  float: { kind: 'float', bits: 32 },
  real: { kind: 'float', bits: 32 },
  float4: { kind: 'float', bits: 32 },
  double: { kind: 'float', bits: 64 },
  float8: { kind: 'float', bits: 64 },
  text: { kind: 'text' },
  varchar: { kind: 'text' },
  string: { kind: 'text' },
  char: { kind: 'text' },
  bool: { kind: 'bool' },
  boolean: { kind: 'bool' },
  date: { kind: 'date', unit: 'day' },
  time: { kind: 'time', unit: 'us' },
  timestamp: { kind: 'timestamp', unit: 'us', zone: null },
  datetime: { kind: 'timestamp', unit: 'us', zone: null },
  timestamptz: { kind: 'timestamp', unit: 'us', zone: 'UTC' },
  binary: { kind: 'binary' },
  bytea: { kind: 'binary' },
};

const castable = new Set(['bool', 'int', 'float', 'decimal', 'text', 'binary', 'date', 'time', 'timestamp']);

function readNumbers(cursor: Cursor): number[] {
  const numbers: number[] = [];
  if (!cursor.takeSign('(')) return numbers;
  do {
    const token = cursor.take();
    if (token.kind !== 'number' || !/^\d+$/.test(token.text))
      throw syntaxProblem(
        'A whole number is missing in the type.',
        token.start,
        'For example decimal(10, 2).',
      );
    numbers.push(Number(token.text));
  } while (cursor.takeSign(','));
  cursor.expectSign(')', 'after the type');
  return numbers;
}

/** Reads the type after `cast(x as …` or `::`, in SQL's or Arrow's words. */
export function readCastType(cursor: Cursor): ValueType {
  const token = cursor.take();
  if (token.kind !== 'word')
    throw syntaxProblem(
      'A type is missing here.',
      token.start,
      'For example bigint, double, text, date or timestamp.',
    );
  const name = token.lower;
  if (name === 'double') cursor.takeWord('precision');
  const isUnsigned = cursor.takeWord('unsigned');
  const numbers = readNumbers(cursor);
  let type: ValueType = (Object.hasOwn(sqlTypes, name) ? sqlTypes[name] : undefined) ?? readValueType(name);
  if (name === 'decimal' || name === 'numeric') {
    const [precision = 18, scale = 0] = numbers;
    if (precision < 1 || precision > 38 || scale > precision)
      throw syntaxProblem('A decimal has 1 to 38 digits, and not more of them after the point.', token.start);
    type = { kind: 'decimal', precision, scale };
  }
  if (type.kind === 'timestamp' && cursor.takeWord('with', 'time', 'zone')) type = { ...type, zone: 'UTC' };
  if (isUnsigned && type.kind === 'int') type = { ...type, isSigned: false };
  if (!castable.has(type.kind))
    throw syntaxProblem(
      `“${token.text}” is not a type that values can be cast to.`,
      token.start,
      'Use bigint, int, double, float, decimal(p, s), text, boolean, date, time, timestamp or binary.',
    );
  return type;
}
