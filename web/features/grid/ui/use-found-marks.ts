import { type RefObject, useEffect } from 'react';

const highlightName = 'curio-found';
const leastLetters = 2;

/** Marks the words of a search in the text of the rows on the screen, without touching the document. */
export function useFoundMarks(
  container: RefObject<HTMLElement | null>,
  words: readonly string[] | undefined,
  revision: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: marked anew whenever other rows are on the screen
  useEffect(() => {
    const registry = globalThis.CSS?.highlights;
    const element = container.current;
    const wanted = (words ?? []).filter((word) => word.length >= leastLetters);
    if (!registry || !element || wanted.length === 0) return;
    const frame = requestAnimationFrame(() =>
      registry.set(highlightName, new Highlight(...findRanges(element, wanted))),
    );
    return () => {
      cancelAnimationFrame(frame);
      registry.delete(highlightName);
    };
  }, [container, words, revision]);
}

function findRanges(element: HTMLElement, words: readonly string[]): Range[] {
  const pattern = new RegExp(
    words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'giu',
  );
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.closest('[data-cell]')) continue;
    for (const match of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}
