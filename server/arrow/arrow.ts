import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The one copy of apache-arrow on the server: LanceDB's own (CommonJS) instance. The ES module is another instance,
 * whose large types LanceDB does not recognise.
 */
export const arrow = require('apache-arrow') as typeof import('apache-arrow');
export type * from 'apache-arrow';

interface Bools {
  length: number;
  offset: number;
  nullCount: number;
  values: Uint8Array | undefined;
}

interface BoolWriter {
  prototype: { visitBool(this: unknown, data: Bools): unknown };
}

/**
 * arrow-js 18.1 writes no values for booleans that are all null (`assembleBoolVector`), and Rust's Arrow refuses the
 * batch: “Need at least 1 bytes for bitmap in buffers[0]”. Here such a column is written with its bits, like any other.
 */
const { VectorAssembler } = require('apache-arrow/visitor/vectorassembler') as {
  VectorAssembler: BoolWriter;
};
const writeBools = VectorAssembler.prototype.visitBool;
VectorAssembler.prototype.visitBool = function visitBool(data) {
  if (data.length === 0 || data.nullCount < data.length) return writeBools.call(this, data);
  const values = new Uint8Array((data.length + 7) >> 3);
  return writeBools.call(this, { length: data.length, offset: 0, nullCount: 0, values });
};
