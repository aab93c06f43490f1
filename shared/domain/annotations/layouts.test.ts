import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseColumnType } from '../column-type.ts';
import type { ColumnRole } from '../columns.ts';
import { detectAnnotations } from './detect.ts';
import type { AnnotationLayout } from './layout.ts';
import { readAnnotations, writeAnnotations } from './read-annotations.ts';
import type { Annotation, BoxShape } from './shape.ts';

const size = { width: 640, height: 480 };

type Row = Record<string, unknown>;
interface Way {
  name: string;
  columns: Record<string, string | [type: string, role: ColumnRole]>;
  row: Row;
  expected: Partial<AnnotationLayout>;
}

/** Two things in one picture, as people write them. */
const ways: Way[] = [
  {
    name: 'COCO objects as a list of structs',
    columns: {
      annotations:
        'list<struct<id: int64, category_id: int64, bbox: list<float64>, segmentation: list<list<float64>>, area: float64, iscrowd: int64>>',
    },
    row: {
      annotations: [
        {
          id: '7',
          category_id: 1,
          bbox: [10, 20, 30, 40],
          segmentation: [[10, 20, 40, 20, 40, 60]],
          area: 600,
          iscrowd: 0,
        },
        {
          id: '8',
          category_id: 2,
          bbox: [100, 50, 200, 300],
          segmentation: [[100, 50, 300, 50, 300, 350, 100, 350]],
          area: 60000,
          iscrowd: 0,
        },
      ],
    },
    expected: { many: 'list', unit: 'pixel', label: 'category_id', area: 'area' },
  },
  {
    name: 'COCO objects as JSON text',
    columns: { annotations: 'utf8' },
    row: {
      annotations: JSON.stringify([
        { category: 'cat', bbox: [10, 20, 30, 40], score: 0.5 },
        { category: 'dog', bbox: [100, 50, 200, 300], score: 0.9 },
      ]),
    },
    expected: { many: 'list', isJson: true, unit: 'pixel', label: 'category', score: 'score' },
  },
  {
    name: 'a struct of lists, as datasets of Hugging Face have it',
    columns: {
      objects: 'struct<id: list<int64>, bbox: list<fixed_size_list<float32>[4]>, category: list<int64>>',
    },
    row: {
      objects: {
        id: ['1', '2'],
        bbox: [
          [10, 20, 30, 40],
          [100, 50, 200, 300],
        ],
        category: [3, 5],
      },
    },
    expected: { many: 'lists', label: 'category' },
  },
  {
    name: 'YOLO: shares of the picture',
    columns: {
      objects:
        'list<struct<class_id: int32, x_center: float32, y_center: float32, width: float32, height: float32>>',
    },
    row: {
      objects: [
        { class_id: 0, x_center: 25 / 640, y_center: 40 / 480, width: 30 / 640, height: 40 / 480 },
        { class_id: 1, x_center: 200 / 640, y_center: 200 / 480, width: 200 / 640, height: 300 / 480 },
      ],
    },
    expected: { many: 'list', unit: 'share', label: 'class_id' },
  },
  {
    name: 'Pascal VOC',
    columns: {
      object: 'list<struct<name: utf8, bndbox: struct<xmin: int32, ymin: int32, xmax: int32, ymax: int32>>>',
    },
    row: {
      object: [
        { name: 'cat', bndbox: { xmin: 10, ymin: 20, xmax: 40, ymax: 60 } },
        { name: 'dog', bndbox: { xmin: 100, ymin: 50, xmax: 300, ymax: 350 } },
      ],
    },
    expected: { many: 'list', label: 'name' },
  },
  {
    name: 'lists side by side, as torchvision gives them',
    columns: {
      image: ['blob', 'image'],
      boxes: ['list<fixed_size_list<float32>[4]>', 'box'],
      labels: ['list<utf8>', 'label'],
      scores: 'list<float32>',
      ids: 'list<int64>',
      tags: ['list<utf8>', 'label'],
    },
    row: {
      boxes: [
        [10, 20, 40, 60],
        [100, 50, 300, 350],
      ],
      labels: ['cat', 'dog'],
      scores: [0.5, 0.9],
      ids: [1, 2],
      tags: ['x', 'y', 'z'],
    },
    expected: { many: 'columns', label: 'labels', score: 'scores', parallel: ['ids'] },
  },
];

const cellOf = (row: Row) => (column: string) => row[column] ?? null;
const detect = ({ columns, row }: Pick<Way, 'columns' | 'row'>) =>
  detectAnnotations(
    Object.entries(columns).map(([name, given]) => {
      const [type, role] = typeof given === 'string' ? [given, 'other' as const] : given;
      return { name, type: parseColumnType(type), role };
    }),
    [cellOf(row)],
  );
const boxOf = ({ shapes }: Annotation) =>
  shapes.find((shape): shape is BoxShape => shape.kind === 'box') as BoxShape;
const rounded = ({ x, y, width, height }: BoxShape) =>
  [x, y, width, height].map((one) => Math.round(one * 100) / 100);

test.each(ways)('$name: found, read, and written back the same', ({ columns, row, expected }) => {
  const [layout] = detect({ columns, row }).layouts;
  expect(layout).toMatchObject(expected);
  const { annotations, faulty } = readAnnotations(cellOf(row), layout!, size);
  expect([annotations.map(boxOf).map(rounded), faulty]).toEqual([
    [
      [10, 20, 30, 40],
      [100, 50, 200, 300],
    ],
    0,
  ]);
  const [first] = annotations;
  const written = writeAnnotations(cellOf(row), {
    layout: layout!,
    size,
    change: { kind: 'reshape', index: 0, shapes: first!.shapes },
  });
  const again = readAnnotations(cellOf({ ...row, ...written }), layout!, size);
  expect(again.annotations.map(boxOf).map(rounded)).toEqual(annotations.map(boxOf).map(rounded));
});

test.each(ways)('$name: moved, named, added and removed', ({ columns, row }) => {
  const layout = detect({ columns, row }).layouts[0]!;
  const read = (now: Row) => readAnnotations(cellOf(now), layout, size).annotations;
  const whole = fc.record({
    x: fc.nat(300),
    y: fc.nat(200),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(whole, fc.nat(1), (place, index) => {
      const shapes = [{ kind: 'box' as const, ...place }];
      const change = { kind: 'reshape' as const, index, shapes };
      const moved = { ...row, ...writeAnnotations(cellOf(row), { layout, size, change }) };
      const expected = read(row).map((one, at) => rounded(at === index ? shapes[0]! : boxOf(one)));
      expect(read(moved).map(boxOf).map(rounded)).toEqual(expected);
      const added = {
        ...row,
        ...writeAnnotations(cellOf(row), {
          layout,
          size,
          change: { kind: 'add', shapes, label: read(row)[0]!.label },
        }),
      };
      expect(read(added).map((one) => [rounded(boxOf(one)), one.label])).toEqual([
        ...read(row).map((one) => [rounded(boxOf(one)), one.label]),
        [rounded(shapes[0]!), read(row)[0]!.label],
      ]);
      const back = {
        ...added,
        ...writeAnnotations(cellOf(added), { layout, size, change: { kind: 'remove', indexes: [2] } }),
      };
      expect(back).toEqual(row);
    }),
    { numRuns: 30 },
  );
  const named = writeAnnotations(cellOf(row), {
    layout,
    size,
    change: { kind: 'relabel', index: 1, label: read(row)[0]!.label },
  });
  expect(read({ ...row, ...named }).map(({ label }) => label)).toEqual([
    read(row)[0]!.label,
    read(row)[0]!.label,
  ]);
});

test('one thing per row, its numbers in columns of their own', () => {
  const columns = {
    xmin: 'int32',
    ymin: 'int32',
    xmax: 'int32',
    ymax: 'int32',
    label: ['utf8', 'label'],
  } satisfies Way['columns'];
  const row = { xmin: 10, ymin: 20, xmax: 40, ymax: 60, label: 'cat' };
  const { layouts, classes } = detect({ columns, row });
  expect([layouts[0], classes]).toMatchObject([
    { many: 'row', label: 'label', geometry: [{ form: 'xyxy', isWhole: true }] },
    [],
  ]);
  const written = writeAnnotations(cellOf(row), {
    layout: layouts[0]!,
    size,
    change: { kind: 'reshape', index: 0, shapes: [{ kind: 'box', x: 1.4, y: 2, width: 10, height: 10 }] },
  });
  expect(written).toEqual({ xmin: 1, ymin: 2, xmax: 11, ymax: 12 });
});

test('rotated boxes, keypoints, runs and PNG masks are found', () => {
  const found = detect({
    columns: {
      obb: 'list<struct<cx: float32, cy: float32, w: float32, h: float32, angle: float32, label: utf8>>',
      keypoints: 'list<float32>',
      mask: ['struct<size: list<int32>, counts: utf8>', 'mask'],
      stencil: ['blob', 'mask'],
      caption: 'utf8',
      category: ['utf8', 'label'],
      vector: ['fixed_size_list<float32>[512]', 'vector'],
    },
    row: {
      obb: [{ cx: 100, cy: 80, w: 40, h: 20, angle: 30, label: 'ship' }],
      keypoints: [10, 20, 2, 30, 40, 1],
      mask: { size: [2, 3], counts: '123' },
      caption: 'A ship',
      category: 'sea',
    },
  });
  expect(
    found.layouts.map(({ column, many, geometry }) => [column, many, geometry.map(({ kind }) => kind)]),
  ).toEqual([
    ['obb', 'list', ['rotated']],
    ['keypoints', 'row', ['keypoints']],
    ['mask', 'row', ['outline']],
    ['stencil', 'picture', []],
  ]);
  expect([found.captions, found.classes]).toEqual([['caption'], ['category']]);
});

test.each(['blob', 'binary', 'large_binary', 'struct<bytes: binary, path: utf8>'])(
  'a mask beside its picture, both of type %s, is a picture of classes',
  (type) => {
    const { layouts } = detect({
      columns: { image: [type, 'image'], mask: [type, 'mask'], caption: 'utf8' },
      row: {
        image: { kind: 'image', sizeBytes: 10, contentType: 'image/jpeg' },
        mask: { kind: 'image', sizeBytes: 10, contentType: 'image/png' },
        caption: 'A road',
      },
    });
    expect(layouts).toEqual([{ column: 'mask', many: 'picture', unit: 'pixel', geometry: [] }]);
  },
);

test('what a column says about itself stands above every guess', () => {
  const layout: AnnotationLayout = {
    column: 'notes',
    many: 'row',
    unit: 'pixel',
    geometry: [{ kind: 'box', fields: ['notes'], form: 'yxyx' }],
  };
  const columns = [
    { name: 'notes', type: parseColumnType('list<float32>'), role: 'other' as const, annotations: layout },
    {
      name: 'bbox',
      type: parseColumnType('list<float32>'),
      role: 'box' as const,
      annotations: { off: true as const },
    },
  ];
  expect(detectAnnotations(columns, []).layouts).toEqual([layout]);
});

test('classes written as numbers have their names, in both directions', () => {
  const layout: AnnotationLayout = {
    column: 'o',
    many: 'list',
    unit: 'pixel',
    geometry: [{ kind: 'box', fields: ['b'], form: 'xywh' }],
    label: 'c',
    classes: ['cat', 'dog'],
  };
  const row = { o: [{ b: [1, 2, 3, 4], c: 1 }] };
  expect(readAnnotations(cellOf(row), layout, size).annotations[0]?.label).toBe('dog');
  const change = { kind: 'relabel' as const, index: 0, label: 'cat' };
  expect(writeAnnotations(cellOf(row), { layout, size, change })).toEqual({ o: [{ b: [1, 2, 3, 4], c: 0 }] });
});

test('entries that are no shape are counted, not drawn', () => {
  const layout = detect(ways[0]!).layouts[0]!;
  const row = { annotations: [{ bbox: [1, 2, 3] }, { bbox: null }, { bbox: ['a', 1, 2, 3] }] };
  const read = readAnnotations(cellOf(row), layout, size);
  expect([read.faulty, read.annotations.map(({ shapes }) => shapes.length)]).toEqual([2, [0, 0, 0]]);
});

test('tables without annotations have none', () => {
  const found = detect({
    columns: {
      id: 'int64',
      title: 'utf8',
      width: 'int64',
      height: 'int64',
      vector: 'fixed_size_list<float32>[128]',
      tags: 'list<utf8>',
      meta: 'struct<a: int64, b: utf8>',
    },
    row: { id: 1, title: 'a', width: 3, height: 4, tags: ['x'], meta: { a: 1, b: 'c' } },
  });
  expect(found.layouts).toEqual([]);
});
