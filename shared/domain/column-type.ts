export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** A column's type, free of any engine's classes. Written as text by {@link formatColumnType}. */
export type ColumnType =
  | { kind: 'null' }
  | { kind: 'bool' }
  | { kind: 'int'; bits: 8 | 16 | 32 | 64; isSigned: boolean }
  | { kind: 'float'; bits: 16 | 32 | 64 }
  | { kind: 'decimal'; precision: number; scale: number }
  | { kind: 'text'; isLarge?: boolean; isDictionary?: boolean }
  | { kind: 'binary'; isLarge?: boolean; size?: number }
  | { kind: 'date'; unit: 'day' | 'ms' }
  | { kind: 'time'; unit: TimeUnit }
  | { kind: 'timestamp'; unit: TimeUnit; zone: string | null }
  | { kind: 'duration'; unit: TimeUnit }
  | { kind: 'interval' }
  | { kind: 'list'; item: ColumnType; size?: number; isLarge?: boolean }
  | { kind: 'struct'; fields: { name: string; type: ColumnType }[] }
  | { kind: 'map'; key: ColumnType; value: ColumnType }
  | { kind: 'json' }
  | { kind: 'blob' }
  | { kind: 'other'; name: string };

const plainTypes: Record<string, ColumnType> = {
  null: { kind: 'null' },
  bool: { kind: 'bool' },
  boolean: { kind: 'bool' },
  int8: { kind: 'int', bits: 8, isSigned: true },
  int16: { kind: 'int', bits: 16, isSigned: true },
  int32: { kind: 'int', bits: 32, isSigned: true },
  int64: { kind: 'int', bits: 64, isSigned: true },
  uint8: { kind: 'int', bits: 8, isSigned: false },
  uint16: { kind: 'int', bits: 16, isSigned: false },
  uint32: { kind: 'int', bits: 32, isSigned: false },
  uint64: { kind: 'int', bits: 64, isSigned: false },
  float16: { kind: 'float', bits: 16 },
  float32: { kind: 'float', bits: 32 },
  float64: { kind: 'float', bits: 64 },
  utf8: { kind: 'text' },
  large_utf8: { kind: 'text', isLarge: true },
  binary: { kind: 'binary' },
  large_binary: { kind: 'binary', isLarge: true },
  date: { kind: 'date', unit: 'day' },
  date32: { kind: 'date', unit: 'day' },
  date64: { kind: 'date', unit: 'ms' },
  interval: { kind: 'interval' },
  json: { kind: 'json' },
  blob: { kind: 'blob' },
};

const isTimeUnit = (text: string): text is TimeUnit => ['s', 'ms', 'us', 'ns'].includes(text);

/** Splits at top-level commas: brackets of any kind and double quotes keep their content together. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (c === '<' || c === '[' || c === '(') depth += 1;
    if (c === '>' || c === ']' || c === ')') depth -= 1;
    if (c === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' && parts.length === 0 ? [] : [...parts, last];
}

function parseField(text: string): { name: string; type: ColumnType } {
  const quoted = /^"((?:[^"]|"")*)"\s*:/.exec(text);
  if (quoted)
    return {
      name: quoted[1]!.replaceAll('""', '"'),
      type: parseColumnType(text.slice(quoted[0].length)),
    };
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon).trim(), type: parseColumnType(text.slice(colon + 1)) };
}

/** Reads what {@link formatColumnType} writes; a type that is not known becomes `other`. */
export function parseColumnType(text: string): ColumnType {
  const name = text.trim();
  const plain = plainTypes[name];
  if (plain) return plain;
  const match = /^(\w+)\s*(?:<(.*)>)?\s*(?:[[(]([^[\]()]*)[\])])?$/s.exec(name);
  if (!match) return { kind: 'other', name };
  const [, head, inner, args] = match;
  const options = args === undefined ? [] : splitParts(args);
  const parts = inner === undefined ? [] : splitParts(inner);
  const first = parts[0];
  const unit = isTimeUnit(options[0] ?? '') ? (options[0] as TimeUnit) : null;
  switch (head) {
    case 'timestamp':
      return { kind: 'timestamp', unit: unit ?? 'us', zone: options[1] ?? null };
    case 'time':
    case 'time32':
    case 'time64':
      return { kind: 'time', unit: unit ?? 'us' };
    case 'duration':
      return { kind: 'duration', unit: unit ?? 'us' };
    case 'decimal':
    case 'decimal128':
    case 'decimal256':
      return { kind: 'decimal', precision: Number(options[0] ?? 38), scale: Number(options[1] ?? 0) };
    case 'fixed_size_binary':
      return { kind: 'binary', size: Number(options[0] ?? 0) };
    case 'list':
      return first === undefined ? { kind: 'other', name } : { kind: 'list', item: parseColumnType(first) };
    case 'large_list':
      return first === undefined
        ? { kind: 'other', name }
        : { kind: 'list', item: parseColumnType(first), isLarge: true };
    case 'fixed_size_list':
      return first === undefined
        ? { kind: 'other', name }
        : { kind: 'list', item: parseColumnType(first), size: Number(options[0] ?? 0) };
    case 'struct':
      return { kind: 'struct', fields: parts.map(parseField) };
    case 'map':
      return parts.length === 2
        ? { kind: 'map', key: parseColumnType(first!), value: parseColumnType(parts[1]!) }
        : { kind: 'other', name };
    case 'dictionary': {
      const value = parseColumnType(parts.at(-1) ?? 'utf8');
      return value.kind === 'text' ? { ...value, isDictionary: true } : value;
    }
    default:
      return { kind: 'other', name };
  }
}

const formatFieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** Writes a type as `ColumnInfo.type` carries it: `int64`, `timestamp[us, UTC]`, `list<utf8>`, `struct<a: int32>`, … */
export function formatColumnType(type: ColumnType): string {
  switch (type.kind) {
    case 'int':
      return `${type.isSigned ? '' : 'u'}int${type.bits}`;
    case 'float':
      return `float${type.bits}`;
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'text': {
      const plain = type.isLarge ? 'large_utf8' : 'utf8';
      return type.isDictionary ? `dictionary<${plain}>` : plain;
    }
    case 'binary':
      return type.size === undefined
        ? type.isLarge
          ? 'large_binary'
          : 'binary'
        : `fixed_size_binary[${type.size}]`;
    case 'date':
      return type.unit === 'day' ? 'date' : 'date64';
    case 'time':
    case 'duration':
      return `${type.kind}[${type.unit}]`;
    case 'timestamp':
      return `timestamp[${type.unit}${type.zone === null ? '' : `, ${type.zone}`}]`;
    case 'list':
      return type.size === undefined
        ? `${type.isLarge ? 'large_' : ''}list<${formatColumnType(type.item)}>`
        : `fixed_size_list<${formatColumnType(type.item)}>[${type.size}]`;
    case 'struct':
      return `struct<${type.fields.map((field) => `${formatFieldName(field.name)}: ${formatColumnType(field.type)}`).join(', ')}>`;
    case 'map':
      return `map<${formatColumnType(type.key)}, ${formatColumnType(type.value)}>`;
    case 'other':
      return type.name;
    default:
      return type.kind;
  }
}
