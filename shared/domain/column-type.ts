import { AppError } from '../api/problem.ts';

const plainKinds = [
  'null',
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
  'utf8',
  'large_utf8',
  'binary',
  'large_binary',
  'date32',
  'date64',
  'json',
  'blob',
] as const;
export type PlainKind = (typeof plainKinds)[number];

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** The type of a column as people read and write it. `json` and `blob` are Lance's extension types. */
export type ColumnType =
  | { kind: PlainKind }
  | { kind: 'fixed_size_binary'; size: number }
  | { kind: 'decimal128' | 'decimal256'; precision: number; scale: number }
  | { kind: 'timestamp'; unit: TimeUnit; timezone: string | null }
  | { kind: 'time32' | 'time64' | 'duration'; unit: TimeUnit }
  | { kind: 'interval'; unit: 'year_month' | 'day_time' | 'month_day_nano' }
  | { kind: 'list' | 'large_list'; item: ColumnType }
  | { kind: 'fixed_size_list'; item: ColumnType; size: number }
  | { kind: 'struct'; fields: { name: string; type: ColumnType }[] }
  | { kind: 'map'; key: ColumnType; value: ColumnType }
  | { kind: 'dictionary'; index: ColumnType; value: ColumnType };

/** What sort of numbers a column holds; null for all other types. */
export function numberKindOf({ kind }: ColumnType): 'whole' | 'float' | 'decimal' | null {
  if (/^u?int\d+$/.test(kind)) return 'whole';
  if (/^float\d+$/.test(kind)) return 'float';
  return kind === 'decimal128' || kind === 'decimal256' ? 'decimal' : null;
}

const isPlain = (kind: string): kind is PlainKind => (plainKinds as readonly string[]).includes(kind);

const formatName = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);

/** Inverse of {@link parseColumnType}: `timestamp[us, UTC]`, `fixed_size_list<float32>[512]`, `struct<x: int64, y: utf8>`, … */
export function formatColumnType(type: ColumnType): string {
  switch (type.kind) {
    case 'fixed_size_binary':
      return `fixed_size_binary[${type.size}]`;
    case 'decimal128':
    case 'decimal256':
      return `${type.kind}(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return type.timezone === null ? `timestamp[${type.unit}]` : `timestamp[${type.unit}, ${type.timezone}]`;
    case 'time32':
    case 'time64':
    case 'duration':
    case 'interval':
      return `${type.kind}[${type.unit}]`;
    case 'list':
    case 'large_list':
      return `${type.kind}<${formatColumnType(type.item)}>`;
    case 'fixed_size_list':
      return `fixed_size_list<${formatColumnType(type.item)}>[${type.size}]`;
    case 'struct':
      return `struct<${type.fields.map(({ name, type: of }) => `${formatName(name)}: ${formatColumnType(of)}`).join(', ')}>`;
    case 'map':
      return `map<${formatColumnType(type.key)}, ${formatColumnType(type.value)}>`;
    case 'dictionary':
      return `dictionary<${formatColumnType(type.index)}, ${formatColumnType(type.value)}>`;
    default:
      return type.kind;
  }
}

/** Words that people also use for a type. */
const aliases: Record<string, ColumnType> = {
  string: { kind: 'utf8' },
  text: { kind: 'utf8' },
  varchar: { kind: 'utf8' },
  large_string: { kind: 'large_utf8' },
  boolean: { kind: 'bool' },
  tinyint: { kind: 'int8' },
  smallint: { kind: 'int16' },
  int: { kind: 'int32' },
  integer: { kind: 'int32' },
  bigint: { kind: 'int64' },
  half: { kind: 'float16' },
  float: { kind: 'float32' },
  real: { kind: 'float32' },
  double: { kind: 'float64' },
  bytes: { kind: 'binary' },
  date: { kind: 'date32' },
  time: { kind: 'time64', unit: 'us' },
  timestamp: { kind: 'timestamp', unit: 'us', timezone: null },
  timestamptz: { kind: 'timestamp', unit: 'us', timezone: 'UTC' },
};

const units: readonly string[] = ['s', 'ms', 'us', 'ns'];
const intervalUnits: readonly string[] = ['year_month', 'day_time', 'month_day_nano'];
const maxDepth = 50;

class TypeReader {
  #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(why: string): AppError {
    return new AppError({
      code: 'BAD_REQUEST',
      message: `“${this.#text.slice(0, 80)}” is not a type: ${why}.`,
      hint: 'Types are written like int64, float32, utf8, bool, timestamp[us, UTC], list<utf8> or fixed_size_list<float32>[512].',
    });
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #accept(mark: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#accept(mark)) throw this.fail(`“${mark}” is missing at character ${this.#at + 1}`);
  }

  #match(pattern: RegExp, what: string): string {
    this.#space();
    const found = new RegExp(pattern.source, 'y');
    found.lastIndex = this.#at;
    const match = found.exec(this.#text);
    if (!match) throw this.fail(`${what} is missing at character ${this.#at + 1}`);
    this.#at = found.lastIndex;
    return match[0];
  }

  #number(): number {
    return Number(this.#match(/-?\d{1,9}/, 'a number'));
  }

  #size(): number {
    const size = this.#number();
    if (size < 1) throw this.fail('a size is at least 1');
    return size;
  }

  #oneOf(words: readonly string[]): string {
    const word = this.#match(/[a-z_]+/, words.join(', '));
    if (!words.includes(word)) throw this.fail(`“${word}” is none of ${words.join(', ')}`);
    return word;
  }

  #bracketed<T>(open: string, close: string, read: () => T): T {
    this.#expect(open);
    const value = read();
    this.#expect(close);
    return value;
  }

  #name(): string {
    if (!this.#accept('"')) return this.#match(/[A-Za-z_][A-Za-z0-9_]*/, 'a field name');
    this.#at -= 1;
    const quoted = this.#match(/"(?:[^"\\]|\\.)*"/, 'a quoted field name');
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw this.fail(`${quoted} is not a quoted name`);
    }
  }

  #pair(depth: number): [ColumnType, ColumnType] {
    return this.#bracketed('<', '>', () => {
      const first = this.type(depth + 1);
      this.#expect(',');
      return [first, this.type(depth + 1)];
    });
  }

  #fields(depth: number): { name: string; type: ColumnType }[] {
    return this.#bracketed('<', '>', () => {
      const fields: { name: string; type: ColumnType }[] = [];
      this.#space();
      if (this.#text[this.#at] === '>') return fields;
      do {
        const name = this.#name();
        this.#expect(':');
        fields.push({ name, type: this.type(depth + 1) });
      } while (this.#accept(','));
      return fields;
    });
  }

  type(depth: number): ColumnType {
    if (depth > maxDepth) throw this.fail('it is nested too deep');
    const kind = this.#match(/[A-Za-z_][A-Za-z0-9_]*/, 'the name of a type').toLowerCase();
    if (isPlain(kind)) return { kind };
    switch (kind) {
      case 'fixed_size_binary':
        return { kind, size: this.#bracketed('[', ']', () => this.#size()) };
      case 'decimal128':
      case 'decimal256':
        return this.#bracketed('(', ')', () => {
          const precision = this.#size();
          if (precision > (kind === 'decimal128' ? 38 : 76))
            throw this.fail('a decimal cannot have so many digits');
          return { kind, precision, scale: this.#accept(',') ? this.#number() : 0 };
        });
      case 'timestamp':
        return this.#timestamp();
      case 'time32':
      case 'time64':
      case 'duration':
        return { kind, unit: this.#bracketed('[', ']', () => this.#oneOf(units) as TimeUnit) };
      case 'interval':
        return { kind, unit: this.#bracketed('[', ']', () => this.#oneOf(intervalUnits)) as 'year_month' };
      case 'list':
      case 'large_list':
        return { kind, item: this.#bracketed('<', '>', () => this.type(depth + 1)) };
      case 'fixed_size_list': {
        const item = this.#bracketed('<', '>', () => this.type(depth + 1));
        return { kind, item, size: this.#bracketed('[', ']', () => this.#size()) };
      }
      case 'struct':
        return { kind, fields: this.#fields(depth) };
      case 'map': {
        const [key, value] = this.#pair(depth);
        return { kind, key, value };
      }
      case 'dictionary': {
        const [index, value] = this.#pair(depth);
        return { kind, index, value };
      }
      default: {
        const alias = Object.hasOwn(aliases, kind) ? aliases[kind] : undefined;
        if (alias) return alias;
        throw this.fail(`there is no “${kind}”`);
      }
    }
  }

  #timestamp(): ColumnType {
    this.#space();
    if (this.#text[this.#at] !== '[') return aliases.timestamp!;
    return this.#bracketed('[', ']', () => {
      const unit = this.#oneOf(units) as TimeUnit;
      return {
        kind: 'timestamp',
        unit,
        timezone: this.#accept(',') ? this.#match(/[A-Za-z0-9_+:/-]+/, 'a time zone') : null,
      };
    });
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length)
      throw this.fail(`“${this.#text.slice(this.#at, this.#at + 20)}” is left over`);
  }
}

/** Inverse of {@link formatColumnType}; also reads common words such as `string` and `double`. Throws BAD_REQUEST. */
export function parseColumnType(text: string): ColumnType {
  const reader = new TypeReader(text);
  const type = reader.type(0);
  reader.end();
  return type;
}
