import { Buffer } from 'node:buffer';
import { arrow, type Data, type Dictionary } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import type { ProfileFigures } from './number-summary.ts';
import { hashBytes, ValueCounter } from './value-counter.ts';

const { Type } = arrow;

const topValues = 20;
const shownLength = 200;

/** Figures of a column of texts, of booleans, or of lists of them (then of their elements), batch by batch. */
export class TextSummary {
  readonly #counter = new ValueCounter();
  /** Texts of the first values and of all that were seen twice: columns of nothing but different texts cost little. */
  readonly #texts = new Map<number, string>();
  #nulls = 0;
  #seen = 0;
  #min: Buffer | null = null;
  #max: Buffer | null = null;

  add(data: Data): void {
    if (data.typeId !== Type.List && data.typeId !== Type.FixedSizeList) {
      this.#addTexts(data, null);
      return;
    }
    const isIn = new Uint8Array(data.children[0]!.length);
    for (let row = 0; row < data.length; row++) {
      if (data.getValid(row)) isIn.fill(1, offsetAt(data, row), offsetAt(data, row + 1));
      else this.#nulls += 1;
    }
    this.#addTexts(data.children[0]!, isIn);
  }

  #addTexts(data: Data, isIn: Uint8Array | null): void {
    const cells = textCells(data);
    for (let row = 0; row < data.length; row++) {
      if (isIn && isIn[row] === 0) continue;
      if (!data.getValid(row)) {
        if (!isIn) this.#nulls += 1;
        continue;
      }
      this.#addText(cells(row));
    }
  }

  #addText({ bytes, start, end }: TextCell): void {
    const hash = hashBytes(bytes, start, end);
    const count = this.#counter.add(hash, this.#seen++);
    if (count > 2) return;
    const own = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    if (count === 2 ? !this.#texts.has(hash) : this.#texts.size < topValues)
      this.#texts.set(hash, shorten(own));
    if (count === 2) return;
    if (this.#min === null || Buffer.compare(own, this.#min) < 0) this.#min = Buffer.from(own);
    if (this.#max === null || Buffer.compare(own, this.#max) > 0) this.#max = Buffer.from(own);
  }

  finish({ isBool }: { isBool: boolean }): ProfileFigures {
    const shown = (text: string): unknown => (isBool ? text === 'true' : text);
    const top = this.#counter.top(topValues).filter(({ hash }) => this.#texts.has(hash));
    return {
      nulls: this.#nulls,
      distinct: this.#counter.size,
      isDistinctExact: true,
      min: this.#min && shown(shorten(this.#min)),
      max: this.#max && shown(shorten(this.#max)),
      mean: null,
      quantiles: null,
      histogram: null,
      top: top.map(({ hash, count }) => ({ value: shown(this.#texts.get(hash)!), rows: count })),
    };
  }
}

function shorten(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

interface TextCell {
  bytes: Uint8Array;
  start: number;
  end: number;
}

const truth = [Buffer.from('false'), Buffer.from('true')] as const;

/** The bytes of the text of a row: as they lie in the column, or those of its dictionary entry, number or truth. */
function textCells(data: Data): (row: number) => TextCell {
  switch (data.typeId) {
    case Type.Dictionary: {
      const { dictionary } = data as Data<Dictionary>;
      const keys = data.values as ArrayLike<number | bigint>;
      const texts = Array.from({ length: dictionary?.length ?? 0 }, (_, at) =>
        Buffer.from(String(dictionary?.get(at) ?? '')),
      );
      return (row) => {
        const bytes = texts[Number(keys[row])] ?? Buffer.alloc(0);
        return { bytes, start: 0, end: bytes.length };
      };
    }
    case Type.Bool: {
      const bits = data.values as Uint8Array;
      return (row) => {
        const at = data.offset + row;
        const bytes = truth[((bits[at >> 3]! >> (at & 7)) & 1) as 0 | 1];
        return { bytes, start: 0, end: bytes.length };
      };
    }
    case Type.Utf8:
    case Type.LargeUtf8: {
      const bytes = data.values as Uint8Array;
      return (row) => ({ bytes, start: offsetAt(data, row), end: offsetAt(data, row + 1) });
    }
    default: {
      const values = data.values as ArrayLike<number | bigint>;
      return (row) => {
        const bytes = Buffer.from(String(values[row]));
        return { bytes, start: 0, end: bytes.length };
      };
    }
  }
}
