import { useCallback, useEffect, useRef, useState } from 'react';
import { type DraftPlace, draftKey, readDraft, writeDraft } from './model/drafts.ts';

/** A text that is being written; it is there again after a reload. */
export function useDraft(
  reviewId: string,
  place: DraftPlace,
  initial = '',
): [text: string, setText: (text: string) => void, discard: () => void] {
  const key = draftKey(reviewId, place);
  const [text, setState] = useState(() => readDraft(localStorage, key) || initial);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    setState(readDraft(localStorage, key) || initial);
  }, [key, initial]);
  const setText = useCallback(
    (next: string) => {
      setState(next);
      writeDraft(localStorage, key, next);
    },
    [key],
  );
  const discard = useCallback(() => {
    setState('');
    writeDraft(localStorage, key, '');
  }, [key]);
  return [text, setText, discard];
}
