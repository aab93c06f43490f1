import { expect, test } from 'vitest';
import { ByteBuilder } from './growing-bytes.ts';

test('texts of more than 2 GB are an error, not a text that is cut', () => {
  const builder = new ByteBuilder();
  builder.append(Uint8Array.of(1, 2));
  expect(() => builder.reserve(2 ** 31 - 2)).toThrow(expect.objectContaining({ code: 'MEMORY' }));
  builder.append(Uint8Array.of(3));
  expect(builder.takeAs<Uint8Array>(Uint8Array)).toEqual(Uint8Array.of(1, 2, 3));
});
