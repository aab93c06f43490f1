import { Buffer } from 'node:buffer';
import type { ColumnDetail } from '#shared/api/facets.ts';
import type { ColumnType } from '#shared/domain/column-type.ts';
import { arrow, type Data, type Dictionary, type Float } from '../../../../arrow/arrow.ts';
import { halfToNumber } from '../../../../arrow/cell-json.ts';
import { offsetAt } from '../../../../arrow/gather.ts';
import { hashBytes } from '../../profile/value-counter.ts';
import { readNumbers } from '../read-numbers.ts';
import { spreadOf } from './spread.ts';

const { Type } = arrow;

type Facts<K extends ColumnDetail['kind']> = Omit<Extract<ColumnDetail, { kind: K }>, 'column' | 'scope'>;
export type DetailFacts = { [K in ColumnDetail['kind']]: Facts<K> }[ColumnDetail['kind']];

export interface DetailSummary {
  add(data: Data): void;
  finish(): DetailFacts;
}

/** Who looks at cells of a type; null where there is nothing beside the figures that every column has. */
export function detailSummaryFor(type: ColumnType): DetailSummary | null {
  switch (type.kind) {
    case 'fixed_size_list':
      return type.item.kind.startsWith('float') ? new VectorSummary(type.size) : null;
    case 'utf8':
    case 'large_utf8':
      return new TextDetail();
    case 'dictionary':
      return detailSummaryFor(type.value);
    case 'list':
    case 'large_list':
      return new ListDetail();
    case 'timestamp':
    case 'date32':
    case 'date64':
      return new TimeDetail(type.kind === 'timestamp');
    default:
      return null;
  }
}

/** Lengths, zeros, duplicates and the common direction of vectors. */
class VectorSummary implements DetailSummary {
  readonly #dimension: number;
  readonly #norms: number[] = [];
  readonly #direction: Float64Array;
  readonly #seen = new Set<number>();
  #rows = 0;
  #nulls = 0;
  #zeros = 0;
  #notFinite = 0;
  #duplicates = 0;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#direction = new Float64Array(dimension);
  }

  add(data: Data): void {
    const child = data.children[0]!;
    const values = floatsOf(child);
    const raw = child.values as ArrayBufferView;
    const bytes = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
    const width = raw.byteLength / Math.max(1, values.length);
    for (let row = 0; row < data.length; row++) {
      this.#rows += 1;
      if (!data.getValid(row)) {
        this.#nulls += 1;
        continue;
      }
      const from = (data.offset + row) * this.#dimension;
      this.#addVector(values, from);
      const hash = hashBytes(bytes, from * width, (from + this.#dimension) * width);
      if (this.#seen.has(hash)) this.#duplicates += 1;
      else this.#seen.add(hash);
    }
  }

  #addVector(values: ArrayLike<number>, from: number): void {
    let square = 0;
    for (let at = 0; at < this.#dimension; at++) square += values[from + at]! ** 2;
    const norm = Math.sqrt(square);
    if (!Number.isFinite(norm)) {
      this.#notFinite += 1;
      return;
    }
    this.#norms.push(norm);
    if (norm === 0) this.#zeros += 1;
    else for (let at = 0; at < this.#dimension; at++) this.#direction[at]! += values[from + at]! / norm;
  }

  finish(): DetailFacts {
    const directed = this.#norms.length - this.#zeros;
    return {
      kind: 'vector',
      rows: this.#rows,
      nulls: this.#nulls,
      dimension: this.#dimension,
      norms: spreadOf(this.#norms, { isWhole: false }),
      zeros: this.#zeros,
      notFinite: this.#notFinite,
      duplicates: this.#duplicates,
      alignment: directed === 0 ? null : Math.hypot(...this.#direction) / directed,
    };
  }
}

function floatsOf(data: Data): ArrayLike<number> {
  if ((data.type as Float).precision !== arrow.Precision.HALF) return data.values as Float32Array;
  return Float32Array.from(data.values as Uint16Array, halfToNumber);
}

const topWords = 24;
const longestRead = 20_000;

/** Lengths, words, empty and repeated texts. */
class TextDetail implements DetailSummary {
  readonly #lengths: number[] = [];
  readonly #words = new Map<string, number>();
  readonly #seen = new Set<string>();
  #rows = 0;
  #nulls = 0;
  #empties = 0;
  #blanks = 0;
  #duplicates = 0;

  add(data: Data): void {
    const read = textsOf(data);
    for (let row = 0; row < data.length; row++) {
      this.#rows += 1;
      if (data.getValid(row)) this.#addText(read(row));
      else this.#nulls += 1;
    }
  }

  #addText(text: string): void {
    let length = 0;
    for (const _character of text) length += 1;
    this.#lengths.push(length);
    if (text === '') this.#empties += 1;
    else if (text.trim() === '') this.#blanks += 1;
    if (this.#seen.has(text)) this.#duplicates += 1;
    else this.#seen.add(text);
    const words = new Set(
      text
        .slice(0, longestRead)
        .toLowerCase()
        .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu),
    );
    for (const word of words) this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
  }

  finish(): DetailFacts {
    const words = [...this.#words].sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1));
    return {
      kind: 'text',
      rows: this.#rows,
      nulls: this.#nulls,
      lengths: spreadOf(this.#lengths, { isWhole: true }),
      empties: this.#empties,
      blanks: this.#blanks,
      duplicates: this.#duplicates,
      words: words.slice(0, topWords).map(([value, rows]) => ({ value, rows })),
    };
  }
}

function textsOf(data: Data): (row: number) => string {
  if (data.typeId === Type.Dictionary) {
    const { dictionary } = data as Data<Dictionary>;
    const keys = data.values as ArrayLike<number | bigint>;
    return (row) => String(dictionary?.get(Number(keys[row])) ?? '');
  }
  const bytes = data.values as Uint8Array;
  return (row) => {
    const start = offsetAt(data, row);
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, offsetAt(data, row + 1) - start).toString(
      'utf8',
    );
  };
}

/** How long lists are. */
class ListDetail implements DetailSummary {
  readonly #lengths: number[] = [];
  #rows = 0;
  #nulls = 0;
  #empties = 0;

  add(data: Data): void {
    for (let row = 0; row < data.length; row++) {
      this.#rows += 1;
      if (!data.getValid(row)) {
        this.#nulls += 1;
        continue;
      }
      const length = offsetAt(data, row + 1) - offsetAt(data, row);
      this.#lengths.push(length);
      if (length === 0) this.#empties += 1;
    }
  }

  finish(): DetailFacts {
    return {
      kind: 'list',
      rows: this.#rows,
      nulls: this.#nulls,
      lengths: spreadOf(this.#lengths, { isWhole: true }),
      empties: this.#empties,
    };
  }
}

const dayMs = 86_400_000;

/** Days of the week and hours of the day, in UTC. */
class TimeDetail implements DetailSummary {
  readonly #weekdays = new Array<number>(7).fill(0);
  readonly #hours: number[] | null;
  #rows = 0;
  #nulls = 0;

  constructor(hasHours: boolean) {
    this.#hours = hasHours ? new Array<number>(24).fill(0) : null;
  }

  add(data: Data): void {
    const values = new Float64Array(data.length);
    readNumbers(data, values, 0);
    for (let row = 0; row < data.length; row++) {
      this.#rows += 1;
      if (!data.getValid(row)) {
        this.#nulls += 1;
        continue;
      }
      const day = Math.floor(values[row]! / dayMs);
      this.#weekdays[(((day + 3) % 7) + 7) % 7]! += 1;
      if (this.#hours) this.#hours[Math.floor((values[row]! - day * dayMs) / 3_600_000)]! += 1;
    }
  }

  finish(): DetailFacts {
    return {
      kind: 'time',
      rows: this.#rows,
      nulls: this.#nulls,
      weekdays: this.#weekdays,
      hours: this.#hours,
    };
  }
}
