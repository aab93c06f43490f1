import type { editor } from 'monaco-editor/editor';

/** Reads a colour of the page as `#rrggbbaa`: the editor understands nothing newer. */
function readColor(context: CanvasRenderingContext2D, name: string): string {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = resolveToken(name);
  context.fillRect(0, 0, 1, 1);
  return `#${[...context.getImageData(0, 0, 1, 1).data].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Tokens are `light-dark()` pairs, which only an element's style resolves. */
function resolveToken(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  probe.hidden = true;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The editor's theme out of the page's tokens. */
export function makeTheme(isDark: boolean): editor.IStandaloneThemeData {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const color = (name: string): string => (context ? readColor(context, name) : '#808080ff');
  const plain = (name: string): string => color(name).slice(1, 7);
  return {
    base: isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: plain('--ink') },
      { token: 'keyword', foreground: plain('--syntax-keyword') },
      { token: 'function', foreground: plain('--syntax-function') },
      { token: 'string', foreground: plain('--syntax-text') },
      { token: 'number', foreground: plain('--syntax-number') },
      { token: 'variable', foreground: plain('--syntax-number') },
      { token: 'comment', foreground: plain('--ink-3'), fontStyle: 'italic' },
      { token: 'operator', foreground: plain('--ink-2') },
      { token: 'delimiter', foreground: plain('--ink-2') },
      { token: 'delimiter.parenthesis', foreground: plain('--ink-2') },
      { token: 'delimiter.square', foreground: plain('--ink-2') },
      { token: 'delimiter.curly', foreground: plain('--ink-2') },
    ],
    colors: {
      'editor.background': color('--surface'),
      'editor.foreground': color('--ink'),
      'editorLineNumber.foreground': color('--ink-3'),
      'editorLineNumber.activeForeground': color('--ink-2'),
      'editor.lineHighlightBackground': color('--hover'),
      'editor.lineHighlightBorder': '#00000000',
      'editorCursor.foreground': color('--ink'),
      'editor.selectionBackground': color('--accent-soft'),
      'editor.inactiveSelectionBackground': color('--accent-softer'),
      'editorWidget.background': color('--raised'),
      'editorWidget.border': color('--line'),
      'editorSuggestWidget.background': color('--raised'),
      'editorSuggestWidget.border': color('--line'),
      'editorSuggestWidget.foreground': color('--ink'),
      'editorSuggestWidget.selectedBackground': color('--accent-soft'),
      'editorSuggestWidget.selectedForeground': color('--ink'),
      'editorSuggestWidget.highlightForeground': color('--accent'),
      'editorSuggestWidget.focusHighlightForeground': color('--accent'),
      'editorHoverWidget.background': color('--raised'),
      'editorHoverWidget.border': color('--line'),
      'editorError.foreground': color('--removed'),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, color('--ink-2')]),
      ),
      'editorBracketMatch.background': color('--press'),
      'editorBracketMatch.border': color('--line-strong'),
      'editor.placeholder.foreground': color('--ink-3'),
      'input.background': color('--surface'),
      'input.foreground': color('--ink'),
      'input.border': color('--line-strong'),
      focusBorder: color('--accent'),
      'scrollbar.shadow': '#00000000',
      'widget.shadow': '#00000022',
    },
  };
}
