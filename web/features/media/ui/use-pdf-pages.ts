import { useState } from 'react';
import { useCommands } from '../../../state/commands.ts';

export interface PdfPages {
  /** The page that is wanted, from 1. */
  page: number;
  /** Why there is no page before or behind it. */
  whyNot: (by: 1 | -1) => string | null;
  go: (page: number) => void;
}

/** Where one is in a PDF, and the keys that turn its pages; `pages` is null until they are counted. */
export function usePdfPages(pages: number | null): PdfPages {
  const [page, setPage] = useState(1);
  const last = pages ?? page;
  const go = (to: number) => setPage(Math.min(Math.max(1, to), last));
  const whyNot = (by: 1 | -1): string | null => {
    if (pages === null) return 'How many pages there are is not known';
    if (by < 0) return page > 1 ? null : 'This is the first page';
    return page < pages ? null : 'This is the last page';
  };
  const group = 'Viewer';
  useCommands([
    {
      id: 'viewer.nextPage',
      title: 'Next page of the PDF',
      group,
      keys: ['PageDown'],
      whyNot: () => whyNot(1),
      run: () => go(page + 1),
    },
    {
      id: 'viewer.previousPage',
      title: 'Previous page of the PDF',
      group,
      keys: ['PageUp'],
      whyNot: () => whyNot(-1),
      run: () => go(page - 1),
    },
    {
      id: 'viewer.firstPage',
      title: 'First page of the PDF',
      group,
      keys: ['Home'],
      whyNot: () => whyNot(-1),
      run: () => go(1),
    },
    {
      id: 'viewer.lastPage',
      title: 'Last page of the PDF',
      group,
      keys: ['End'],
      whyNot: () => whyNot(1),
      run: () => go(last),
    },
  ]);
  return { page, whyNot, go };
}
