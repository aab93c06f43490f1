import { describe, expect, it } from 'vitest';
import { type ColumnSample, guessRole } from './column-role.ts';
import { parseColumnType } from './column-type.ts';

const guess = (name: string, type: string, sample?: ColumnSample) =>
  guessRole({ name, type: parseColumnType(type), sample });
const repeat = (texts: string[]): string[] => Array.from({ length: 16 }, (_, i) => texts[i % texts.length]!);

describe('roles are guessed', () => {
  it.each<[string, string, string, ColumnSample | undefined]>([
    ['image', 'picture', 'blob', { mediaTypes: ['image/png', 'image/jpeg'] }],
    ['image', 'image', 'struct<bytes: binary, path: utf8>', { mediaTypes: ['image/png'] }],
    ['mask', 'mask', 'binary', { mediaTypes: ['image/png'] }],
    ['mask', 'gt_mask', 'struct<bytes: binary, path: utf8>', { mediaTypes: ['image/png'] }],
    ['mask', 'segMap', 'blob', { mediaTypes: ['image/png'] }],
    ['mask', 'semantic_segmentation_map', 'large_binary', { mediaTypes: ['image/png'] }],
    ['mask', 'annotation', 'struct<bytes: binary, path: utf8>', { mediaTypes: ['image/png'] }],
    ['mask', 'label', 'binary', { mediaTypes: ['image/png'] }],
    ['image', 'label_photo', 'binary', { mediaTypes: ['image/jpeg'] }],
    ['image', 'masked_face', 'binary', { mediaTypes: ['image/png'] }],
    ['blob', 'mask', 'binary', { mediaTypes: ['application/octet-stream'] }],
    ['video', 'clip', 'large_binary', { mediaTypes: ['video/mp4'] }],
    ['audio', 'sound', 'blob', { mediaTypes: ['audio/wav', 'audio/mpeg'] }],
    ['blob', 'mixed', 'blob', { mediaTypes: ['image/png', 'audio/wav'] }],
    ['blob', 'empty', 'binary', { mediaTypes: [] }],
    ['url', 'link', 'utf8', { texts: ['https://example.org/a', 's3://bucket/b'] }],
    ['text', 'caption', 'utf8', { texts: ['A long sentence about a cat that sits on a mat in the sun'] }],
    ['text', 'name', 'utf8', { texts: ['Ann', 'Bob', 'Cy'] }],
    ['label', 'colour', 'utf8', { texts: repeat(['red', 'green']) }],
    ['label', 'label', 'utf8', { texts: ['cat', 'dog'] }],
    ['label', 'label', 'int64', undefined],
    ['label', 'tags', 'list<utf8>', undefined],
    ['label', 'kind', 'dictionary<int32, utf8>', undefined],
    ['label', 'ok', 'bool', undefined],
    ['number', 'score', 'float32', undefined],
    ['number', 'price', 'decimal128(10, 2)', undefined],
    ['time', 'at', 'timestamp[us, UTC]', undefined],
    ['vector', 'embedding', 'fixed_size_list<float16>[512]', undefined],
    ['vector', 'patches', 'list<fixed_size_list<float32>[128]>', undefined],
    ['box', 'bbox', 'fixed_size_list<float32>[4]', undefined],
    ['box', 'objects', 'list<struct<xmin: int32, ymin: int32, xmax: int32, ymax: int32>>', undefined],
    ['json', 'meta', 'json', undefined],
    ['other', 'inner', 'struct<a: int64>', undefined],
    ['other', 'id', 'fixed_size_binary[16]', undefined],
  ])('%s: %s %s', (role, name, type, sample) => {
    expect(guess(name, type, sample)).toBe(role);
  });
});
