// @vitest-environment jsdom
import { act, cleanup, fireEvent } from '@testing-library/react';
import { lazy, Suspense, useRef } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useCommands } from '../../../state/commands.ts';
import { fakeServer } from '../../../testing/fake-server.ts';
import { fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { EarlyKeys, RunEarly } from './early-keys.tsx';

let deleted = 0;
let arrive = (): void => {};

function Actions() {
  useCommands([
    {
      id: 'edit.delete',
      title: 'Delete',
      group: 'Test',
      keys: ['Delete'],
      run: () => {
        deleted += 1;
      },
    },
  ]);
  return null;
}

const LateActions = lazy(
  () =>
    new Promise<{ default: typeof Actions }>((resolve) => {
      arrive = () => resolve({ default: Actions });
    }),
);

function Bar() {
  const early = useRef<string | null>(null);
  return (
    <Suspense fallback={<EarlyKeys early={early} />}>
      <LateActions />
      <RunEarly early={early} />
    </Suspense>
  );
}

beforeEach(preparePage);
afterEach(cleanup);

test('a key that is pressed before its command has loaded runs it once, when it has', async () => {
  fakeServer({ session: () => fakeSession() });
  const page = renderPage(<Bar />);
  fireEvent.keyDown(document.body, { key: 'Delete' });
  fireEvent.keyDown(document.body, { key: 'Delete' });
  expect(deleted).toBe(0);
  await act(async () => arrive());
  expect(deleted).toBe(1);
  fireEvent.keyDown(document.body, { key: 'Delete' });
  expect(deleted).toBe(2);
  page.close();
});
