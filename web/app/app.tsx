import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { useBranchStep } from '../state/branch-steps.ts';
import { listenToKeys } from '../state/keyboard.ts';
import { Toaster, TooltipProvider } from '../ui/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';

const StepDialog = lazy(() =>
  import('../features/branch-steps/index.ts').then((module) => ({ default: module.StepDialog })),
);

/** The whole page: providers around the shell. */
export function App() {
  const [client] = useState(createQueryClient);
  useEffect(() => listenToKeys(window), []);
  return (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ErrorBoundary>
          <Shell />
          <BranchSteps />
        </ErrorBoundary>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
}

/** Rebase, cherry-pick, revert and restore: opened from any screen, fetched when they are. */
const BranchSteps = () =>
  useBranchStep() && (
    <Suspense fallback={null}>
      <StepDialog />
    </Suspense>
  );
