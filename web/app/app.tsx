import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { listenToKeys } from '../state/keyboard.ts';
import { Toaster, TooltipProvider } from '../ui/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';

/** The whole page: providers around the shell. */
export function App() {
  const [client] = useState(createQueryClient);
  useEffect(() => listenToKeys(window), []);
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ErrorBoundary>
          <Shell />
        </ErrorBoundary>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
