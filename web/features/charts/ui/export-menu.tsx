import { Download } from 'lucide-react';
import { Button, Menu, showError } from '../../../ui/index.ts';
import type { DrawnChart } from '../draw-chart.ts';
import type { ChartRelation } from '../model/build-chart-sql.ts';
import { buildSpec, describeChart, valueTitle } from '../model/build-spec.ts';
import { fileNameOf, rowsAsCsv } from '../model/export-chart.ts';
import type { ChartData } from '../queries.ts';

function download(name: string, content: string, type: string): void {
  const url = content.startsWith('data:') ? content : URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  if (url !== content) setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The chart as picture, drawing, specification, or the rows that are drawn. */
export function ExportMenu({
  data,
  drawn,
  columns,
}: {
  data: ChartData | undefined;
  drawn: DrawnChart | null;
  columns: ChartRelation['columns'];
}) {
  const whyNot = data && drawn ? null : 'There is no chart yet.';
  const name = data ? fileNameOf(describeChart(data.choice)) : 'chart';
  const save = (ending: string, type: string, content: () => string | Promise<string>) => () =>
    void (async () => download(`${name}.${ending}`, await content(), type))().catch(showError);
  const times = (['x', 'y'] as const).filter(
    (place) => columns.find(({ name: of }) => of === data?.choice[place])?.kind === 'time',
  );
  const names: Record<string, string> | undefined = data && {
    x: data.choice.x ?? 'x',
    y: data.choice.y ?? 'y',
    ...(data.choice.color === null ? {} : { c: data.choice.color }),
    v: valueTitle(data.choice),
    n: 'rows of each',
    low: '5 %',
    q1: '25 %',
    mid: 'median',
    q3: '75 %',
    high: '95 %',
  };
  return (
    <Menu
      label="Export the chart"
      align="end"
      trigger={
        <Button look="quiet" icon={<Download />}>
          Export
        </Button>
      }
      items={[
        {
          id: 'png',
          label: 'Picture',
          hint: '.png',
          whyNot,
          onSelect: save('png', 'image/png', () => drawn?.png() ?? ''),
        },
        {
          id: 'svg',
          label: 'Drawing',
          hint: '.svg',
          whyNot,
          onSelect: save('svg', 'image/svg+xml', () => drawn?.svg() ?? ''),
        },
        {
          id: 'spec',
          label: 'Vega-Lite specification with its data',
          hint: '.vl.json',
          whyNot,
          onSelect: save('vl.json', 'application/json', () =>
            data ? JSON.stringify(buildSpec({ ...data, columns }), null, 2) : '',
          ),
        },
        {
          id: 'data',
          label: 'The rows that are drawn',
          hint: '.csv',
          whyNot,
          onSelect: save('csv', 'text/csv', () => (data && names ? rowsAsCsv(data.rows, names, times) : '')),
        },
      ]}
    />
  );
}
