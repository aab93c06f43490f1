import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makePets, type Pets, setLabel } from '../testing/pets.ts';
import { traceRow } from './trace-row.ts';

const context = { signal: new AbortController().signal };

type Deed = (pets: Pets) => Promise<unknown>;

const rawHandle = ({ ports }: Pets) => ports.home.connection.openTable('pets', [], { branch: 'exp' });

const labels = fc.constantFrom('a', 'b', null);
const deeds: fc.Arbitrary<[string, Deed]> = fc.oneof(
  labels.map((label): [string, Deed] => [`set ${label}`, (pets) => pets.edit([setLabel(label)])]),
  labels.map((label): [string, Deed] => [
    `set another ${label}`,
    (pets) => pets.edit([setLabel(label, [2])]),
  ]),
  fc.constant<[string, Deed]>(['delete', (pets) => pets.edit([{ op: 'delete', rows: { keys: [1] } }])]),
  fc.constant<[string, Deed]>([
    'insert',
    (pets) => pets.edit([{ op: 'insert', rows: [{ id: 1, label: 'new' }] }]),
  ]),
  fc.constant<[string, Deed]>(['undo', (pets) => pets.undo()]),
  fc.constant<[string, Deed]>(['compact', async (pets) => (await rawHandle(pets)).optimize()]),
  fc.constant<[string, Deed]>([
    'foreign update',
    async (pets) => (await rawHandle(pets)).update({ where: 'id < 3', valuesSql: { label: "'foreign'" } }),
  ]),
  fc.constant<[string, Deed]>(['foreign delete', async (pets) => (await rawHandle(pets)).delete('id = 1')]),
  fc
    .nat(6)
    .map((back): [string, Deed] => [
      `restore ${back}`,
      async (pets) => pets.restore(`exp:${Math.max(1, (await headOf(pets)) - back)}`),
    ]),
  fc.nat(6).map((back): [string, Deed] => [
    `foreign restore ${back}`,
    async (pets) => {
      const handle = await rawHandle(pets);
      await handle.checkout(Math.max(1, (await headOf(pets)) - back));
      await handle.restore();
    },
  ]),
);

async function headOf({ ports }: Pets): Promise<number> {
  const { branches } = await ports.reader.readHeads({ table: 'pets' }, context);
  return branches.find(({ name }) => name === 'exp')?.version ?? 1;
}

/** The label of the row at every version, read one by one; `undefined` where the row is not there. */
async function readEvery(pets: Pets): Promise<unknown[]> {
  const values: unknown[] = [undefined];
  for (let version = 1; version <= (await headOf(pets)); version++) {
    const handle = await pets.ports.home.connection.openTable('pets', [], { branch: 'exp', version });
    const [row] = await handle.query().where('id = 1').select(['label']).toArray();
    values.push(row === undefined ? undefined : row.label);
  }
  return values;
}

test('says what reading every version says, whatever was done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deeds, { minLength: 1, maxLength: 9 }), async (script) => {
      const pets = await makePets();
      try {
        for (const [, deed] of script) await deed(pets).catch(() => undefined);
        const values = await readEvery(pets);
        const { events, end } = await traceRow(
          pets.ports,
          { table: 'pets', ref: 'exp', key: 1, column: 'label', limit: 100 },
          context,
        );
        const seen = events.map(({ ref, change, cells }) => [
          ref.version,
          change === 'added' ? undefined : cells[0]?.before,
          change === 'removed' ? undefined : cells[0]?.after,
        ]);
        const wanted = values
          .map((value, version) => [version, values[version - 1], value] as const)
          .filter(([version, before, after]) => version > 0 && before !== after)
          .map((change) => [...change])
          .reverse();
        expect({ seen, end }).toEqual({ seen: wanted, end: 'begin' });
      } finally {
        await pets.ports.close();
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);
