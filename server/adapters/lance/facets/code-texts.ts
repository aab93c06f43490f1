import { Buffer } from 'node:buffer';
import {
  binCountOf,
  type FacetBins,
  type FacetValue,
  planValueBins,
  specialCodes,
} from '#shared/domain/facets/bins.ts';
import { blocksOf } from '#shared/domain/facets/count-facets.ts';
import { arrow, type Data, type Dictionary } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import { hashBytes } from '../profile/value-counter.ts';
import { NumberCoder, type RowsPlan } from './code-numbers.ts';
import type { PlannedFacet } from './plan-facet.ts';
import { RowValues } from './row-values.ts';
import { ValueIds } from './value-ids.ts';

const { Type } = arrow;

/** Columns with more different texts are counted by length. */
const mostDistinct = 5000;
/** Longer texts have no bin of their own. */
const longestValue = 200;
const nullId = -1;

interface Coded {
  bins: FacetBins;
  codes: RowValues<Uint8Array<ArrayBuffer>>;
  /** Of lists, whose codes are in memory: where those of each row begin, and the last end. */
  offsets?: Uint32Array;
  distinct: number | null;
  isLength: boolean;
}

/** Texts, truths, or lists of texts as they come, then as bins of their values, or of their lengths where few come twice. */
export class TextCoder {
  readonly #ids: RowValues<Int32Array<ArrayBuffer>>;
  readonly #plan: RowsPlan;
  readonly #known = new ValueIds();
  readonly #values: FacetValue[] = [];
  readonly #counts: number[] = [];
  readonly #lengths: NumberCoder | null;
  readonly #offsets: number[] | null;
  readonly #elements: number[] = [];
  #nulls = 0;

  constructor(plan: RowsPlan, facet: PlannedFacet) {
    const isList = facet.source === 'element';
    this.#plan = plan;
    this.#ids = new RowValues(Int32Array, isList ? { rows: 0, isInFile: false } : plan);
    this.#lengths = facet.source === 'text' ? new NumberCoder(plan, { ...facet, isFloat32: false }) : null;
    this.#offsets = isList ? [0] : null;
  }

  add(data: Data): void {
    if (this.#offsets) this.#addLists(data, this.#offsets);
    else if (data.typeId === Type.Bool) this.#addTruths(data);
    else this.#addTexts(data);
  }

  #addTruths(data: Data): void {
    const bits = data.values as Uint8Array;
    const { values: ids, at: first } = this.#ids.room(data.length);
    for (let row = 0; row < data.length; row++) {
      if (!data.getValid(row)) ids[first + row] = this.#counted(nullId);
      else {
        const at = data.offset + row;
        const isTrue = ((bits[at >> 3]! >> (at & 7)) & 1) === 1;
        ids[first + row] = this.#counted(this.#idOf(isTrue ? 1 : 0, () => isTrue));
      }
    }
  }

  #addTexts(data: Data): void {
    const read = textReader(data);
    const hasNulls = data.nullCount > 0;
    const { values: ids, at: first } = this.#ids.room(data.length);
    const lengths = this.#lengths?.room(data.length);
    for (let row = 0; row < data.length; row++) {
      const isNull = hasNulls && !data.getValid(row);
      if (lengths) lengths.isNull[lengths.isNullAt + row] = isNull ? 1 : 0;
      if (isNull) {
        ids[first + row] = this.#counted(nullId);
        continue;
      }
      const { bytes, start, end } = read(row);
      if (lengths) lengths.values[lengths.valuesAt + row] = lengthOf(bytes, start, end);
      ids[first + row] = this.#counted(
        this.#known.size > mostDistinct
          ? 0
          : this.#idOf(hashBytes(bytes, start, end), () => textOf(bytes, start, end)),
      );
    }
  }

  #addLists(data: Data, offsets: number[]): void {
    const elements = data.children[0]!;
    const read = textReader(elements);
    for (let row = 0; row < data.length; row++) {
      const from = this.#elements.length;
      if (!data.getValid(row)) {
        this.#nulls += 1;
        this.#elements.push(nullId);
      } else {
        for (let at = offsetAt(data, row); at < offsetAt(data, row + 1); at++) {
          if (!elements.getValid(at)) continue;
          const { bytes, start, end } = read(at);
          const id = this.#idOf(hashBytes(bytes, start, end), () => textOf(bytes, start, end));
          if (this.#elements.indexOf(id, from) < 0) {
            this.#elements.push(id);
            this.#counts[id]! += 1;
          }
        }
        if (this.#elements.length === from) this.#elements.push(emptyId);
      }
      offsets.push(this.#elements.length);
    }
  }

  #idOf(hash: number, value: () => FacetValue): number {
    const before = this.#known.size;
    const id = this.#known.idOf(hash);
    if (id === before) {
      this.#values.push(value());
      this.#counts.push(0);
    }
    return id;
  }

  #counted(id: number): number {
    if (id === nullId) this.#nulls += 1;
    else this.#counts[id]! += 1;
    return id;
  }

  *finish(): Generator<void, Coded | { why: string }> {
    const distinct = this.#known.size;
    const present = this.#plan.rows - this.#nulls;
    const isMostlyUnique = distinct > mostDistinct || (distinct > 40 && distinct > present / 2);
    if (this.#lengths && isMostlyUnique) {
      const coded = yield* this.#lengths.finish();
      return 'why' in coded ? coded : { ...coded, distinct: null, isLength: true };
    }
    const short = this.#values
      .map((value, id) => [value, this.#counts[id]!] as const)
      .filter(([value]) => typeof value === 'boolean' || value.length <= longestValue);
    const bins = planValueBins(short);
    const special = specialCodes(binCountOf(bins));
    const codeOf = new Uint8Array(Math.max(1, this.#values.length)).fill(special.rest);
    const idOf = new Map(this.#values.map((value, id) => [value, id]));
    bins.values.forEach((value, bin) => {
      codeOf[idOf.get(value)!] = bin;
    });
    const codeFor = (id: number): number =>
      id === nullId ? special.null : id === emptyId ? special.empty : codeOf[id]!;
    const result = { bins, distinct, isLength: false };
    if (this.#offsets) {
      const elements = this.#elements;
      const codes = new RowValues(Uint8Array, { rows: elements.length, isInFile: false });
      const { values } = codes.room(elements.length);
      for (const [from, to] of blocksOf(elements.length)) {
        for (let at = from; at < to; at++) values[at] = codeFor(elements[at]!);
        yield;
      }
      return { ...result, codes, offsets: Uint32Array.from(this.#offsets) };
    }
    const codes = new RowValues(Uint8Array, this.#plan);
    for (const [from, to] of blocksOf(this.#plan.rows)) {
      const ids = this.#ids.block(from, to);
      const { values, at } = codes.room(to - from);
      for (let row = 0; row < ids.length; row++) values[at + row] = codeFor(ids[row]!);
      yield;
    }
    return { ...result, codes };
  }
}

const emptyId = -2;
const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');

/** Characters, as the filter's `length` counts them: bytes that do not go on with the one before. */
function lengthOf(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at++) if ((bytes[at]! & 0xc0) !== 0x80) length += 1;
  return length;
}

interface TextPlace {
  bytes: Uint8Array;
  start: number;
  end: number;
}

function textReader(data: Data): (row: number) => TextPlace {
  if (data.typeId === Type.Dictionary) {
    const { dictionary } = data as Data<Dictionary>;
    const keys = data.values as ArrayLike<number | bigint>;
    const texts = Array.from({ length: dictionary?.length ?? 0 }, (_none, at) => {
      const bytes = Buffer.from(String(dictionary?.get(at) ?? ''));
      return { bytes, start: 0, end: bytes.length };
    });
    return (row) => texts[Number(keys[row])]!;
  }
  const bytes = data.values as Uint8Array;
  const place: TextPlace = { bytes, start: 0, end: 0 };
  return (row) => {
    place.start = offsetAt(data, row);
    place.end = offsetAt(data, row + 1);
    return place;
  };
}
