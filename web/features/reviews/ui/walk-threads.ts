/** Moves the focus to the next or previous thread of the conversation. */
export function walkThreads(by: 1 | -1): void {
  const threads = [...document.querySelectorAll<HTMLElement>('[data-thread]')];
  if (threads.length === 0) return;
  const at = threads.findIndex((thread) => thread.contains(document.activeElement));
  const next =
    at < 0 ? (by === 1 ? 0 : threads.length - 1) : Math.max(0, Math.min(threads.length - 1, at + by));
  threads[next]?.focus({ preventScroll: true });
  threads[next]?.scrollIntoView({ block: 'nearest' });
}
