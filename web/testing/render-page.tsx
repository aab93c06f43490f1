import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { listenToKeys } from '../state/keyboard.ts';
import { Toaster, TooltipProvider } from '../ui/index.ts';

/** What jsdom lacks and the page counts on. */
export function preparePage(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.hasPointerCapture = () => false;
  Element.prototype.setPointerCapture = () => {};
  Element.prototype.releasePointerCapture = () => {};
  const sizes = { clientWidth: 1200, clientHeight: 2000, offsetWidth: 1200, offsetHeight: 100 };
  for (const [name, px] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => px });
  }
}

/** Renders a screen as the app does: with its queries, toasts, tooltips and keys, at an address. */
export function renderPage(screen: ReactNode, path = '/') {
  history.replaceState(null, '', path);
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const stopKeys = listenToKeys(window);
  const view = render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        {screen}
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return {
    ...view,
    client,
    close: () => {
      stopKeys();
      cleanup();
      client.clear();
      vi.unstubAllGlobals();
      localStorage.clear();
    },
  };
}
