import { useVirtualizer, type VirtualizerOptions } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ChangeListProps } from './change-list.tsx';

type Sizes = Pick<
  VirtualizerOptions<HTMLDivElement, Element>,
  'estimateSize' | 'overscan' | 'gap' | 'scrollPaddingStart'
>;

export interface ChangeRowsInput extends Pick<ChangeListProps, 'changes' | 'at' | 'takesFocus' | 'onEnd'> {
  sizes: Sizes;
  /** More are asked for when this many are left below what is in sight. */
  asksAhead: number;
}

/** Which of the changes are in sight, and where; the current one is brought there when it takes the focus. */
export function useChangeRows({ changes, at, takesFocus, onEnd, sizes, asksAhead }: ChangeRowsInput) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: changes.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => changes[index]!.id,
    scrollMargin: list.current?.offsetTop ?? 0,
    scrollPaddingEnd: 24,
    ...sizes,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= changes.length - asksAhead && changes.length > 0) onEnd();
  }, [last, changes.length, asksAhead, onEnd]);
  useEffect(() => {
    if (at >= 0 && takesFocus) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, takesFocus, virtualizer]);
  return { scroller, list, virtualizer, items };
}
