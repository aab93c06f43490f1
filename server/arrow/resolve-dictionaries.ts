import { arrow, type Data, type Dictionary, type Field, type RecordBatch, type Schema } from './arrow.ts';
import { gather } from './gather.ts';

const isDictionary = (field: Field): field is Field<Dictionary> => field.typeId === arrow.Type.Dictionary;

const resolvedField = (field: Field): Field =>
  isDictionary(field)
    ? new arrow.Field(field.name, field.type.dictionary, field.nullable, field.metadata)
    : field;

/** The schema with dictionary columns (at the top level) as columns of their values. */
export function withoutDictionaries(schema: Schema): Schema {
  if (!schema.fields.some(isDictionary)) return schema;
  return new arrow.Schema(schema.fields.map(resolvedField), schema.metadata);
}

function resolve(data: Data): Data {
  const keys = data.values as ArrayLike<number | bigint>;
  const indices = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) indices[i] = data.getValid(i) ? Number(keys[i]) : -1;
  const dictionary = (data as Data<Dictionary>).dictionary!;
  const whole =
    dictionary.data.length === 1
      ? dictionary.data[0]!
      : arrow.vectorFromArray([...dictionary], dictionary.type).data[0]!;
  return gather(whole, indices);
}

/** The batch with dictionary columns (at the top level) as columns of their values. */
export function resolveDictionaries(batch: RecordBatch): RecordBatch {
  if (!batch.schema.fields.some(isDictionary)) return batch;
  const children = batch.schema.fields.map((field, index) => {
    const data = batch.data.children[index]!;
    return isDictionary(field) ? resolve(data) : data;
  });
  const schema = withoutDictionaries(batch.schema);
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children,
  });
  return new arrow.RecordBatch(schema, data as never);
}
