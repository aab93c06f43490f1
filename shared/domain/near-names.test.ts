import { expect, it } from 'vitest';
import { didYouMean, nearNames } from './near-names.ts';

it('finds what a person may have meant, nearest first', () => {
  expect(nearNames('lable', ['label', 'table', 'cable', 'image'])).toEqual(['label', 'cable', 'table']);
  expect(nearNames('Caption', ['caption', 'caption_length'])).toEqual(['caption', 'caption_length']);
  expect(nearNames('score', ['quality_score', 'height'])).toEqual(['quality_score']);
  expect(nearNames('x', ['picture', 'y'])).toEqual(['y']);
  expect(nearNames('zebra', ['picture'])).toEqual([]);
  expect(nearNames('nope', ['note', 'note'])).toEqual(['note']);
});

it('asks in a sentence', () => {
  expect(didYouMean('a', ['picture'])).toBe(undefined);
  expect(didYouMean('lable', ['label'])).toBe('Did you mean “label”?');
  expect(didYouMean('lable', ['label', 'table', 'cable'])).toBe('Did you mean “label”, “cable” or “table”?');
});
