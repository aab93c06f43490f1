import * as z from 'zod';
import { Side } from '#shared/api/edits.ts';
import { RowKey } from '#shared/domain/selection.ts';
import { type ChoiceBook, emptyBook } from './choices.ts';

const StoredChoice = z.object({
  key: RowKey,
  column: z.string().nullable(),
  pick: z.union([z.strictObject({ take: Side }), z.strictObject({ value: z.unknown() })]),
  token: z.string(),
});
const StoredBook = z.object({
  entries: z.record(z.string(), StoredChoice),
  rest: z.enum(['from', 'into']).nullable(),
  restHeads: z.string().optional(),
});

export interface DraftPlace {
  table: string;
  from: string;
  into: string;
}

export type DraftStorage = globalThis.Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const placeKey = ({ table, from, into }: DraftPlace): string =>
  `curio.choices.${JSON.stringify([table, from, into])}`;

/** Reads the choices that this person left behind; an unreadable or foreign entry counts as none. */
export function readDraft(storage: DraftStorage, place: DraftPlace): ChoiceBook {
  try {
    const stored = StoredBook.safeParse(JSON.parse(storage.getItem(placeKey(place)) ?? 'null'));
    return stored.success ? (stored.data as ChoiceBook) : emptyBook;
  } catch {
    return emptyBook;
  }
}

/** Keeps the choices; a full or forbidden storage only means that they do not outlive the page. */
export function writeDraft(storage: DraftStorage, place: DraftPlace, book: ChoiceBook): void {
  try {
    if (Object.keys(book.entries).length === 0 && book.rest === null) storage.removeItem(placeKey(place));
    else storage.setItem(placeKey(place), JSON.stringify(book));
  } catch {
    return;
  }
}
