import { lazy, Suspense, useState } from 'react';
import { useCommands } from '../state/commands.ts';
import { useReviewDialog } from '../state/review-dialog.ts';
import { useAppCommands } from './app-commands.ts';
import { AppNav } from './app-nav.tsx';
import { Routes } from './routes.tsx';
import styles from './shell.module.css';

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
);
const ShortcutSheet = lazy(() =>
  import('./shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })),
);

const ReviewDialogs = lazy(() =>
  import('../features/reviews/index.ts').then((module) => ({ default: module.ReviewDialogs })),
);

const JobsWatch = lazy(() =>
  import('../features/jobs/index.ts').then((module) => ({ default: module.JobsWatch })),
);

/** Navigation at the left, the screen beside it, and what can be called up from everywhere. */
export function Shell() {
  const [panel, setPanel] = useState<'palette' | 'shortcuts' | null>(null);
  const reviewDialog = useReviewDialog();
  const close = () => setPanel(null);
  useCommands(
    useAppCommands({ openPalette: () => setPanel('palette'), openShortcuts: () => setPanel('shortcuts') }),
  );
  return (
    <div className={styles.shell}>
      <AppNav onOpenShortcuts={() => setPanel('shortcuts')} onOpenPalette={() => setPanel('palette')} />
      <main className={styles.main}>
        <Routes />
      </main>
      <Suspense fallback={null}>
        <JobsWatch />
      </Suspense>
      <Suspense fallback={null}>
        {panel === 'palette' && <CommandPalette onClose={close} />}
        {reviewDialog && <ReviewDialogs />}
        {panel === 'shortcuts' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </div>
  );
}
