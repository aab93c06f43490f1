import { type ComponentProps, lazy, Suspense } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { useTableView } from '../../../state/use-table-view.ts';

const Inspector = lazy(() =>
  import('../../inspector/index.ts').then((module) => ({ default: module.Inspector })),
);
const HistoryView = lazy(() =>
  import('../../history/index.ts').then((module) => ({ default: module.HistoryView })),
);
const Gallery = lazy(() => import('../../gallery/index.ts').then((module) => ({ default: module.Gallery })));

/** One row in full, fetched when it is first wanted. */
export function InspectorPane(props: ComponentProps<typeof Inspector>) {
  const [, setView] = useTableView();
  return (
    <Suspense fallback={null}>
      <Inspector {...props} onView={(column) => setView({ stage: column })} />
    </Suspense>
  );
}

export const GalleryPane = (props: ComponentProps<typeof Gallery>) => (
  <Suspense fallback={null}>
    <Gallery {...props} />
  </Suspense>
);

export function HistoryPane({
  detail,
  ...props
}: {
  table: string;
  detail: TableDetail | undefined;
  refText: string;
  onRefChange: (refText: string) => void;
}) {
  return <Suspense fallback={null}>{detail && <HistoryView detail={detail} {...props} />}</Suspense>;
}
