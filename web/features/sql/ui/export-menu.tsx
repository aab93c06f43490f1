import { Download } from 'lucide-react';
import { addressOf } from '../../../api/index.ts';
import { Button, Menu } from '../../../ui/index.ts';
import type { SqlResult } from '../model/run-sql.ts';

/** Addresses longer than this are refused on the way. */
const maxAddressLength = 12_000;

function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

/** The whole result as a file, made by the server from the same refs; also what the grid does not show. */
export function ExportMenu({ result, label = 'Export' }: { result: SqlResult | null; label?: string }) {
  const addressFor = (format: 'csv' | 'arrow') =>
    addressOf(
      'exportSql',
      {},
      { format, q: JSON.stringify({ sql: result?.sql ?? '', refs: result?.refs ?? {} }) },
    );
  const whyNot =
    result === null
      ? 'Run a statement first.'
      : addressFor('csv').length > maxAddressLength
        ? 'The statement is too long for a link.'
        : null;
  const item = (format: 'csv' | 'arrow', label: string, hint: string) => ({
    id: format,
    label,
    hint,
    whyNot,
    onSelect: () => download(addressFor(format)),
  });
  return (
    <Menu
      label={label}
      align="end"
      trigger={
        <Button look="quiet" icon={<Download />}>
          {label}
        </Button>
      }
      items={[
        { heading: 'The whole result, all rows' },
        item('csv', 'CSV', '.csv'),
        item('arrow', 'Arrow stream', '.arrows'),
      ]}
    />
  );
}
