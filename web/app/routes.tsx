import { lazy, Suspense, useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { type Address, parseAddress, tablesPath } from '../state/addresses.ts';
import { Button, EmptyState, Page, PageTitle } from '../ui/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';

const pages = {
  tables: () => import('../features/tables/index.ts'),
  table: () => import('../features/table/index.ts'),
  compare: () => import('../features/compare/index.ts'),
  sql: () => import('../features/sql/index.ts'),
  jobs: () => import('../features/jobs/index.ts'),
  reviews: () => import('../features/reviews/index.ts'),
};

const TablesPage = lazy(() => pages.tables().then((module) => ({ default: module.TablesPage })));
const TablePage = lazy(() => pages.table().then((module) => ({ default: module.TablePage })));
const ComparePage = lazy(() => pages.compare().then((module) => ({ default: module.ComparePage })));
const SqlPage = lazy(() => pages.sql().then((module) => ({ default: module.SqlPage })));
const JobsPage = lazy(() => pages.jobs().then((module) => ({ default: module.JobsPage })));

const ReviewsPage = lazy(() => pages.reviews().then((module) => ({ default: module.ReviewsPage })));
const ReviewPage = lazy(() => pages.reviews().then((module) => ({ default: module.ReviewPage })));

/** Fetches a screen's code before it is asked for. */
export const preloadScreen = (screen: keyof typeof pages): void => void pages[screen]().catch(() => {});

/** The screen of the address. */
export function Routes() {
  const pathname = usePathname();
  useEffect(() => {
    const title = titleOf(parseAddress(pathname));
    if (title !== null) document.title = title;
  }, [pathname]);
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<Page bar={null}>{null}</Page>}>
        <Screen pathname={pathname} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** What the window is called; `null` for screens that know better themselves. */
function titleOf(address: Address): string | null {
  switch (address.screen) {
    case 'tables':
    case 'nowhere':
      return 'Curio';
    case 'compare':
      return `${address.from} → ${address.into} · ${address.table} · Curio`;
    case 'sql':
      return 'SQL · Curio';
    case 'jobs':
      return 'Jobs · Curio';
    case 'table':
    case 'reviews':
    case 'review':
      return null;
  }
}

function Screen({ pathname }: { pathname: string }) {
  const address = parseAddress(pathname);
  switch (address.screen) {
    case 'tables':
      return <TablesPage />;
    case 'table':
      return <TablePage key={address.table} table={address.table} />;
    case 'compare':
      return <ComparePage key={pathname} table={address.table} from={address.from} into={address.into} />;
    case 'sql':
      return <SqlPage queryId={address.queryId} />;
    case 'jobs':
      return <JobsPage />;
    case 'reviews':
      return <ReviewsPage />;
    case 'review':
      return <ReviewPage key={address.id} id={address.id} />;
    case 'nowhere':
      return (
        <Page bar={<PageTitle>Not found</PageTitle>}>
          <EmptyState
            title="There is nothing at this address"
            action={
              <Button look="primary" onClick={() => history.replaceState(null, '', tablesPath)}>
                All tables
              </Button>
            }
          >
            The link may be mistyped, or what it showed has another name now.
          </EmptyState>
        </Page>
      );
  }
}
