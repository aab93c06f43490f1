import { expect, test } from 'vitest';
import { parseMentions } from './mentions.ts';

test.each([
  ['@ann please look', ['ann']],
  ['see @ann, @bob-2 and @ann.', ['ann', 'bob-2']],
  ['(@jörg.m) and ann@example.org', ['jörg.m']],
  ['`@code` and ```\n@block\n``` @real', ['real']],
  ['@@twice a/@path', []],
  ['nobody', []],
])('%s', (text, names) => expect(parseMentions(text)).toEqual(names));
