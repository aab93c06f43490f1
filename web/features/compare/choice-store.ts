import { createStore, type StoreApi } from 'zustand/vanilla';
import { type DraftPlace, type DraftStorage, readDraft, writeDraft } from './model/choice-drafts.ts';
import {
  type Choice,
  type ChoiceBook,
  type ConflictItem,
  emptyBook,
  isRestStale,
  type Pick,
  planChoose,
  planForget,
  pruneChoices,
} from './model/choices.ts';

export interface ChoiceState {
  book: ChoiceBook;
  past: readonly ChoiceBook[];
  future: readonly ChoiceBook[];
  /** Choices that were dropped because the conflict is gone or has other values by now. */
  dropped: readonly Choice[];
  /** The choice for the rest that was dropped because a head moved. */
  droppedRest: 'from' | 'into' | null;
}

type ReadableStore = Omit<StoreApi<ChoiceState>, 'setState'>;

export interface ChoiceStore extends ReadableStore {
  choose: (items: readonly ConflictItem[], pick: Pick) => void;
  /** Settles everything that has no choice of its own. */
  chooseRest: (side: 'from' | 'into' | null, heads?: string) => void;
  forget: (items: readonly ConflictItem[]) => void;
  clear: () => void;
  undo: () => boolean;
  redo: () => boolean;
  prune: (items: readonly ConflictItem[], isComplete: boolean) => void;
  /** Drops the choice for the rest where a head moved and left conflicts that nobody has looked at. */
  dropStaleRest: (items: readonly ConflictItem[], heads: string) => void;
  dismissDropped: () => void;
  /** Forgets what was kept for a next visit: the changes are merged. */
  discardDraft: () => void;
}

const maxSteps = 200;

/** The choices of one comparison: kept in this browser, taken back step by step. */
export function createChoiceStore(place: DraftPlace, storage: DraftStorage): ChoiceStore {
  const store = createStore<ChoiceState>(() => ({
    book: readDraft(storage, place),
    past: [],
    future: [],
    dropped: [],
    droppedRest: null,
  }));
  const { getState, setState, subscribe, getInitialState } = store;
  const keep = (): void => writeDraft(storage, place, getState().book);

  const change = (book: ChoiceBook): void => {
    setState(({ book: before, past }) => ({ book, past: [...past, before].slice(-maxSteps), future: [] }));
    keep();
  };

  return {
    getState,
    subscribe,
    getInitialState,
    choose: (items, pick) => change(planChoose(getState().book, items, pick)),
    chooseRest: (rest, restHeads) => {
      const { restHeads: _before, ...book } = getState().book;
      change({ ...book, rest, ...(rest && restHeads ? { restHeads } : {}) });
    },
    dropStaleRest: (items, heads) => {
      const { book } = getState();
      if (!isRestStale(book, items, heads)) return;
      setState({ book: { entries: book.entries, rest: null }, droppedRest: book.rest, past: [], future: [] });
      keep();
    },
    forget: (items) => change(planForget(getState().book, items)),
    clear: () => change(emptyBook),
    undo: () => {
      const { past, book, future } = getState();
      const before = past.at(-1);
      if (!before) return false;
      setState({ book: before, past: past.slice(0, -1), future: [book, ...future] });
      keep();
      return true;
    },
    redo: () => {
      const { past, book, future } = getState();
      const next = future[0];
      if (!next) return false;
      setState({ book: next, past: [...past, book], future: future.slice(1) });
      keep();
      return true;
    },
    prune: (items, isComplete) => {
      const pruned = pruneChoices(getState().book, items, isComplete);
      if (pruned.dropped.length === 0) return;
      setState(({ dropped }) => ({
        book: pruned.book,
        past: [],
        future: [],
        dropped: [...dropped, ...pruned.dropped],
      }));
      keep();
    },
    dismissDropped: () => setState({ dropped: [], droppedRest: null }),
    discardDraft: () => writeDraft(storage, place, emptyBook),
  };
}
