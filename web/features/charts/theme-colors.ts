/** Colours of the page as a chart needs them: plain numbers, since Vega mixes them. */
export interface ChartColors {
  ink: string;
  ink2: string;
  ink3: string;
  line: string;
  surface: string;
  accent: string;
  soft: string;
  categories: readonly string[];
}

const light = [
  '#3b6fd4',
  '#d9822b',
  '#2f9e77',
  '#c2507a',
  '#8a63c9',
  '#7d8a2e',
  '#2c9ab7',
  '#a06a4b',
  '#9a9a9a',
];
const dark = [
  '#7fa8f0',
  '#eaa860',
  '#6cc9a4',
  '#e48aac',
  '#b79ae6',
  '#b6c264',
  '#6fc3da',
  '#cfa083',
  '#8c8c8c',
];

/** Reads a token as it looks now, in the theme that is on. */
function readToken(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const shown = getComputedStyle(probe).color;
  probe.remove();
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return '#888888';
  context.fillStyle = shown;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export const readChartColors = (isDark: boolean): ChartColors => ({
  ink: readToken('--ink'),
  ink2: readToken('--ink-2'),
  ink3: readToken('--ink-3'),
  line: readToken('--line'),
  surface: readToken('--surface'),
  accent: isDark ? dark[0]! : light[0]!,
  soft: readToken('--accent-soft'),
  categories: isDark ? dark : light,
});
