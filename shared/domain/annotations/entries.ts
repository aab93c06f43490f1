import { type AnnotationLayout, columnsOfLayout } from './layout.ts';

/** A cell of a row as JSON: lists, objects, numbers, text (64-bit numbers may be text). */
export type CellOf = (column: string) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value inside another by names with dots between; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  return path
    .split('.')
    .reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

/** Sets a value inside an object by names with dots between, making objects on the way. */
export function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  if (Object.hasOwn(target, path)) {
    put(target, path, value);
    return;
  }
  const names = path.split('.');
  const last = names.pop() as string;
  let at = target;
  for (const name of names) {
    if (!Object.hasOwn(at, name) || !isRecord(at[name])) put(at, name, {});
    at = at[name] as Record<string, unknown>;
  }
  put(at, last, value);
}

/** Layouts come with tables: a field may be called `__proto__`, and is one like any other. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

/** Reads a cell that may be JSON as text; text that is none stays as it is. */
export function readCell(value: unknown, isJson: boolean | undefined): unknown {
  if (!isJson || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The annotations of a row as entries whose fields can be read and set; what is set can be taken out again as cells. */
export interface Entries {
  count: number;
  get(index: number, field: string): unknown;
  set(index: number, field: string, value: unknown): void;
  /** Adds an entry of empty fields, or like another one, and gives its place. */
  add(like?: number): number;
  remove(index: number): void;
  /** The cells of the columns as they are now. */
  cells(): Record<string, unknown>;
}

const emptyLike = (value: unknown): unknown => {
  if (!isRecord(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, emptyLike(inner)]));
};

/** Copies the annotation cells of a row, so that they can be changed. */
export function openEntries(cell: CellOf, layout: AnnotationLayout): Entries {
  const copies = new Map<string, unknown>();
  const wasText = new Set<string>();
  for (const name of columnsOfLayout(layout)) {
    const raw = cell(name);
    const value = readCell(raw, layout.isJson);
    if (value !== raw) wasText.add(name);
    copies.set(name, structuredClone(value ?? null));
  }
  const cells = () =>
    Object.fromEntries(
      [...copies].map(([name, value]) => [
        name,
        wasText.has(name) && value !== null ? JSON.stringify(value) : value,
      ]),
    );
  const make = {
    list: ofList,
    one: ofOne,
    lists: ofLists,
    columns: ofColumns,
    row: ofRow,
    picture: ofNothing,
  };
  return { ...make[layout.many](copies, layout, wasText), cells };
}

type Parts = Omit<Entries, 'cells'>;

function ofList(copies: Map<string, unknown>, layout: AnnotationLayout, wasText: Set<string>): Parts {
  const found = copies.get(layout.column);
  const items = (Array.isArray(found) ? found : []) as Record<string, unknown>[];
  return {
    get count() {
      return items.length;
    },
    get: (index, field) => valueAt(items[index], field),
    set: (index, field, value) => items[index] && setAt(items[index], field, value),
    add(like) {
      copies.set(layout.column, items);
      if (layout.isJson) wasText.add(layout.column);
      const made = like === undefined ? emptyLike(items[0] ?? {}) : structuredClone(items[like]);
      return items.push(made as Record<string, unknown>) - 1;
    },
    remove: (index) => void items.splice(index, 1),
  };
}

function ofOne(copies: Map<string, unknown>, layout: AnnotationLayout, wasText: Set<string>): Parts {
  const item = () => copies.get(layout.column);
  return {
    get count() {
      return isRecord(item()) ? 1 : 0;
    },
    get: (_index, field) => valueAt(item(), field),
    set(_index, field, value) {
      const target = item();
      if (isRecord(target)) setAt(target, field, value);
    },
    add() {
      if (isRecord(item())) return 0;
      copies.set(layout.column, {});
      if (layout.isJson) wasText.add(layout.column);
      return 0;
    },
    remove: () => void copies.set(layout.column, null),
  };
}

/** Lists side by side: in a struct, or as columns. */
function sideBySide(
  lists: () => Iterable<unknown[]>,
  listOf: (field: string) => unknown[] | null,
  { geometry, label }: AnnotationLayout,
): Parts {
  const [first] = geometry;
  const leading = first ? ('fields' in first ? first.fields[0]! : first.field) : (label ?? '');
  return {
    get count() {
      return listOf(leading)?.length ?? 0;
    },
    get: (index, field) => listOf(field)?.[index],
    set(index, field, value) {
      const list = listOf(field);
      if (list) list[index] = value;
    },
    add(like) {
      const at = listOf(leading)?.length ?? 0;
      for (const list of lists())
        if (list.length === at) list.push(like === undefined ? null : structuredClone(list[like] ?? null));
      return at;
    },
    remove(index) {
      const before = listOf(leading)?.length ?? 0;
      for (const list of [...lists()]) if (list.length === before) list.splice(index, 1);
    },
  };
}

function ofLists(copies: Map<string, unknown>, layout: AnnotationLayout): Parts {
  const struct = (): Record<string, unknown> => {
    let value = copies.get(layout.column);
    if (!isRecord(value)) {
      value = {};
      copies.set(layout.column, value);
    }
    return value as Record<string, unknown>;
  };
  const listOf = (field: string) => {
    const value = valueAt(copies.get(layout.column), field);
    if (Array.isArray(value)) return value as unknown[];
    if (!fieldsOf(layout).includes(field)) return null;
    const made: unknown[] = [];
    setAt(struct(), field, made);
    return made;
  };
  return sideBySide(
    () => {
      for (const field of fieldsOf(layout)) listOf(field);
      return Object.values(struct()).filter((value) => Array.isArray(value)) as unknown[][];
    },
    listOf,
    layout,
  );
}

const fieldsOf = ({ geometry, label, score, caption, area, time }: AnnotationLayout): string[] => [
  ...geometry.flatMap((one) => ('fields' in one ? one.fields : [one.field])),
  ...[label, score, caption, area, time].filter((name): name is string => typeof name === 'string'),
];

function ofColumns(copies: Map<string, unknown>, layout: AnnotationLayout, wasText: Set<string>): Parts {
  const listOf = (field: string) => {
    const value = copies.get(field);
    if (Array.isArray(value)) return value as unknown[];
    if (value !== null || !copies.has(field)) return null;
    const made: unknown[] = [];
    copies.set(field, made);
    if (layout.isJson && field === layout.column) wasText.add(field);
    return made;
  };
  return sideBySide(() => [...copies.keys()].flatMap((name) => [listOf(name) ?? []]), listOf, layout);
}

function ofRow(copies: Map<string, unknown>, layout: AnnotationLayout): Parts {
  const [first] = layout.geometry;
  const leading = first ? ('fields' in first ? first.fields[0]! : first.field) : (layout.label ?? '');
  return {
    get count() {
      return (copies.get(leading) ?? null) === null ? 0 : 1;
    },
    get: (_index, field) => copies.get(field),
    set: (_index, field, value) => void copies.set(field, value),
    add: () => 0,
    remove() {
      for (const field of fieldsOf(layout)) copies.set(field, null);
    },
  };
}

const ofNothing = (): Parts => ({
  count: 0,
  get: () => undefined,
  set: () => undefined,
  add: () => 0,
  remove: () => undefined,
});
