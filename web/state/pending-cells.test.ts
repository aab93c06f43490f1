import { expect, test } from 'vitest';
import { addPending, dropPending, pendingValue } from './pending-cells.ts';

test('pending values show over older rows only', () => {
  const cells = addPending(addPending({}, [{ rowId: '1', column: 'a', value: 'x', version: null }]), [
    { rowId: '2', column: 'a', value: 'y', version: 5 },
  ]);
  const at = (rowId: string, version: number) => pendingValue(cells, { rowId, column: 'a', version });
  expect([at('1', 9), at('2', 4), at('2', 5), at('3', 1)]).toEqual([
    { value: 'x' },
    { value: 'y' },
    null,
    null,
  ]);
  expect(Object.keys(dropPending(cells, [{ rowId: '1', column: 'a' }]))).toEqual(['2/a']);
});
