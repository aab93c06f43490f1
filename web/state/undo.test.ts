// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { clearSteps, lastStep, redoStep, showDone, undoStep } from './undo.ts';

const log: string[] = [];
const step = (name: string, canRedo = true) => ({
  label: name,
  undo: async () => void log.push(`undo ${name}`),
  ...(canRedo ? { redo: async () => void log.push(`redo ${name}`) } : {}),
});

beforeEach(() => {
  log.length = 0;
  clearSteps();
});

test('steps are taken back last first, and done again in order', async () => {
  showDone(step('a'));
  showDone(step('b'));
  await undoStep();
  await undoStep();
  await undoStep();
  await redoStep();
  await redoStep();
  await redoStep();
  expect(log).toEqual(['undo b', 'undo a', 'redo a', 'redo b']);
  expect(lastStep()?.label).toBe('b');
});

test('a new step forgets what was taken back; a step that failed to be taken back stays', async () => {
  showDone(step('a'));
  await undoStep();
  showDone({ ...step('b'), undo: async () => Promise.reject(new Error('conflict')) });
  await expect(undoStep()).rejects.toThrow('conflict');
  await redoStep();
  expect([log, lastStep()?.label]).toEqual([['undo a'], 'b']);
});
