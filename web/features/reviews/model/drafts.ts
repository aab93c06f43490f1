import type { RowKey } from '#shared/domain/selection.ts';
import { keyToken } from './anchor.ts';

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Where a text is being written. */
export type DraftPlace =
  | { kind: 'comment' }
  | { kind: 'row'; rowKey: RowKey; column: string | null }
  | { kind: 'reply'; to: string }
  | { kind: 'edit'; of: string }
  | { kind: 'verdict' };

/** The name under which a draft of a review is kept. */
export function draftKey(reviewId: string, place: DraftPlace): string {
  switch (place.kind) {
    case 'row':
      return `curio.draft.review.${reviewId}.row.${JSON.stringify([keyToken(place.rowKey), place.column])}`;
    case 'reply':
      return `curio.draft.review.${reviewId}.reply.${place.to}`;
    case 'edit':
      return `curio.draft.review.${reviewId}.edit.${place.of}`;
    default:
      return `curio.draft.review.${reviewId}.${place.kind}`;
  }
}

/** What was left there; a storage that is full or forbidden only means that drafts do not outlive the page. */
export function readDraft(storage: DraftStorage, key: string): string {
  try {
    return storage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(storage: DraftStorage, key: string, text: string): void {
  try {
    if (text.trim() === '') storage.removeItem(key);
    else storage.setItem(key, text);
  } catch {
    return;
  }
}
