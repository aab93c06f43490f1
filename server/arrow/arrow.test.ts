import { connect } from '@lancedb/lancedb';
import { expect, test } from 'vitest';
import { arrow } from './arrow.ts';

test('booleans that are all null can be written to Lance, alone and inside of structs', async () => {
  const bools = arrow.vectorFromArray([null, null], new arrow.Bool());
  const struct = new arrow.Struct([new arrow.Field('b', new arrow.Bool(), true)]);
  const structs = arrow.vectorFromArray([{ b: null }, { b: null }], struct);
  const connection = await connect('memory://');
  const table = await connection.createTable('bools', new arrow.Table({ bools, structs }));
  expect((await table.query().toArray()).map((row) => row.toJSON())).toMatchObject([
    { bools: null, structs: { b: null } },
    { bools: null, structs: { b: null } },
  ]);
});
