import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import 'monaco-editor/features/suggest/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/placeholderText/register';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { isDark, themeStore } from '../../../state/theme.ts';
import { languageConfiguration, languageId, tokensProvider } from './sql-language.ts';
import './syntax.css';
import { makeTheme } from './theme.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

monaco.languages.register({ id: languageId });
monaco.languages.setMonarchTokensProvider(languageId, tokensProvider);
monaco.languages.setLanguageConfiguration(languageId, languageConfiguration);

const themeName = 'curio';

/** Follows the page's colours, also when the system turns dark. */
function followTheme(): void {
  monaco.editor.defineTheme(themeName, makeTheme(isDark()));
  monaco.editor.setTheme(themeName);
}

followTheme();
themeStore.subscribe(followTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', followTheme);

export { monaco, themeName };
