import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const memoryFor = (text: string | undefined): number =>
  readSettings({ CURIO_HOME: '/data', CURIO_MEMORY_MB: text }).memoryBytes / 1024 ** 2;

test.each([
  [undefined, 2048],
  ['', 2048],
  ['1024', 1024],
  ['4096.5', 4096],
  ['16777216', 16_777_216],
])('a budget of %s is %i MB', (text, megabytes) => {
  expect(memoryFor(text)).toBe(megabytes);
});

test.each([
  ['nonsense', 'no amount of memory'],
  ['2 GB', 'no amount of memory'],
  ['-5', 'no amount of memory'],
  ['Infinity', 'no amount of memory'],
  ['0', 'too little'],
  ['50', 'too little'],
  ['16777217', 'too much'],
  ['1e99', 'too much'],
])('a budget of %s is refused before the server starts: %s', (text, problem) => {
  expect(() => memoryFor(text)).toThrow(`CURIO_MEMORY_MB is ${text}, which is ${problem}.`);
});
