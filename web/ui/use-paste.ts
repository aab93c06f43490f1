import { useEffect, useRef } from 'react';

export interface PasteOptions {
  /** Says whether it took the files. */
  onFiles: (files: File[]) => boolean;
  /** Asked before others. */
  isFirst?: boolean;
  isOff?: boolean;
}

/** Hears files that are pasted while nobody types. */
export function usePaste({ onFiles, isFirst = false, isOff = false }: PasteOptions): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    if (isOff) return;
    const hear = (event: ClipboardEvent) => {
      const target = event.target as Element | null;
      const isTyping = target?.closest?.('input, textarea, [contenteditable], [role="dialog"]');
      const files = Array.from(event.clipboardData?.files ?? []);
      if (event.defaultPrevented || isTyping || files.length === 0) return;
      if (latest.current(files)) event.preventDefault();
    };
    document.addEventListener('paste', hear, isFirst);
    return () => document.removeEventListener('paste', hear, isFirst);
  }, [isFirst, isOff]);
}
