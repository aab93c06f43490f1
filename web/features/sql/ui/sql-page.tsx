import { goTo, sqlPath } from '../../../state/addresses.ts';
import { Button, EmptyState, Page, PageTitle, readError } from '../../../ui/index.ts';
import { type NoQuery, useAddress } from '../use-address.ts';
import { Workbench } from './workbench.tsx';

/** The SQL workbench, or the saved query that the address names in it. */
export function SqlPage(_props: { queryId?: string }) {
  const missing = useAddress();
  return missing ? <NoSavedQuery {...missing} /> : <Workbench />;
}

function NoSavedQuery({ error }: NoQuery) {
  const { message, hint } = readError(error);
  return (
    <Page bar={<PageTitle>SQL</PageTitle>}>
      <EmptyState
        title={message}
        action={
          <Button look="primary" onClick={() => goTo(sqlPath)}>
            Open the workbench
          </Button>
        }
      >
        {hint}
      </EmptyState>
    </Page>
  );
}
