import { useQueryClient } from '@tanstack/react-query';
import type { editor as Editor } from 'monaco-editor/editor';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { AppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { monaco, themeName } from '../editor/monaco.ts';
import { registerProviders } from '../editor/providers.ts';
import { languageId } from '../editor/sql-language.ts';
import { nameDragType } from '../model/quote-name.ts';

export interface SqlEditorHandle {
  /** Writes at the caret, in place of what is selected. */
  insert(text: string): void;
  /** Puts the caret there and shows it. */
  goTo(offset: number): void;
  focus(): void;
}

export interface SqlEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** The caret, and the selected text where there is any. */
  onCaret: (place: { offset: number; selection: { start: number; end: number } | null }) => void;
  onRun: () => void;
  /** Runs and goes on to the next cell. */
  onRunOn?: () => void;
  onFocus?: () => void;
  /** As high as its text: for editors that stand in a list. */
  onHeight?: (heightPx: number) => void;
  label?: string;
  hasFocus?: boolean;
  refs: Record<string, string>;
  /** Earlier cells whose results have names. */
  cells: readonly string[];
  /** Columns of a statement in this cell, for completion. */
  describe: (sql: string) => Promise<ColumnInfo[]>;
  /** Errors with the offset of the statement that they count from. */
  problems: readonly { error: AppError; start: number }[];
  ref?: Ref<SqlEditorHandle>;
}

const options: Editor.IStandaloneEditorConstructionOptions = {
  language: languageId,
  theme: themeName,
  ariaLabel: 'SQL statement',
  placeholder: 'SELECT …',
  fontFamily: '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace',
  fontSize: 13,
  lineHeight: 20,
  fontLigatures: false,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  automaticLayout: true,
  padding: { top: 10, bottom: 10 },
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 8,
  glyphMargin: false,
  folding: false,
  bracketPairColorization: { enabled: false },
  guides: { indentation: false },
  renderLineHighlight: 'line',
  renderLineHighlightOnlyWhenFocus: true,
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  wordWrap: 'on',
  tabSize: 2,
  quickSuggestions: { other: true, comments: false, strings: true },
  suggestOnTriggerCharacters: true,
  acceptSuggestionOnEnter: 'smart',
  wordBasedSuggestions: 'off',
  suggest: { showWords: false, preview: false, showIcons: true, snippetsPreventQuickSuggestions: false },
  fixedOverflowWidgets: true,
  unicodeHighlight: { ambiguousCharacters: false },
  editContext: false,
  tabFocusMode: false,
};

/** No scrolling inside: the list scrolls. */
const fitted: Editor.IStandaloneEditorConstructionOptions = {
  scrollbar: { ...options.scrollbar, vertical: 'hidden', alwaysConsumeMouseWheel: false },
  overviewRulerLanes: 0,
  padding: { top: 6, bottom: 6 },
};

/** Monaco with Curio's tables, refs, columns and DuckDB's functions. */
export default function SqlEditor(props: SqlEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor.IStandaloneCodeEditor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const client = useQueryClient();

  useEffect(() => {
    if (!box.current) return;
    const model = monaco.editor.createModel(latest.current.value, languageId);
    model.updateOptions({
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    });
    const { onHeight, label, hasFocus = true } = latest.current;
    const made = monaco.editor.create(box.current, {
      ...options,
      model,
      ...(label === undefined ? {} : { ariaLabel: label }),
      ...(onHeight ? fitted : {}),
    });
    editor.current = made;
    const providers = registerProviders(
      model,
      () => {
        const { refs, cells, describe } = latest.current;
        return { refs, cells, describe };
      },
      client,
    );
    made.onDidChangeModelContent(() => latest.current.onChange(model.getValue()));
    made.onDidChangeCursorSelection(({ selection }) => {
      const start = model.getOffsetAt(selection.getStartPosition());
      const end = model.getOffsetAt(selection.getEndPosition());
      latest.current.onCaret({
        offset: model.getOffsetAt(selection.getPosition()),
        selection: start === end ? null : { start, end },
      });
    });
    made.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => {
      made.trigger('curio', 'hideSuggestWidget', {});
      latest.current.onRun();
    });
    made.addCommand(monaco.KeyMod.Shift | monaco.KeyCode.Enter, () => {
      made.trigger('curio', 'hideSuggestWidget', {});
      (latest.current.onRunOn ?? latest.current.onRun)();
    });
    made.onDidFocusEditorText(() => latest.current.onFocus?.());
    made.onDidContentSizeChange(({ contentHeight }) => latest.current.onHeight?.(contentHeight));
    onHeight?.(made.getContentHeight());
    made.setPosition(model.getPositionAt(model.getValueLength()));
    if (hasFocus) made.focus();
    return () => {
      providers.dispose();
      made.dispose();
      model.dispose();
      editor.current = null;
    };
  }, [client]);

  useEffect(() => {
    const made = editor.current;
    const model = made?.getModel();
    if (!made || !model || model.getValue() === props.value) return;
    made.pushUndoStop();
    made.executeEdits('curio', [{ range: model.getFullModelRange(), text: props.value }]);
    made.pushUndoStop();
  }, [props.value]);

  const signature = props.problems
    .map(({ error, start }) => `${start}:${error.at?.line}:${error.at?.column}:${error.message}`)
    .join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: underlined anew only when what is seen changes
  useEffect(() => {
    const model = editor.current?.getModel();
    if (model)
      monaco.editor.setModelMarkers(
        model,
        'curio',
        latest.current.problems.flatMap((problem) => markerOf(model, problem)),
      );
  }, [signature]);

  useImperativeHandle(props.ref, () => ({
    insert(text) {
      const made = editor.current;
      if (!made) return;
      made.pushUndoStop();
      made.executeEdits('curio', [
        { range: made.getSelection() ?? new monaco.Range(1, 1, 1, 1), text, forceMoveMarkers: true },
      ]);
      made.pushUndoStop();
      made.focus();
    },
    goTo(offset) {
      const made = editor.current;
      const position = made?.getModel()?.getPositionAt(offset);
      if (!made || !position) return;
      made.setPosition(position);
      made.revealPositionInCenterIfOutsideViewport(position);
      made.focus();
    },
    focus: () => editor.current?.focus(),
  }));

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: names are dropped into the text; a click in the tree writes them as well
    <div
      ref={box}
      style={{ position: 'absolute', inset: 0 }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(nameDragType)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        const place = editor.current?.getTargetAtClientPoint(event.clientX, event.clientY)?.position;
        if (place) editor.current?.setPosition(place);
      }}
      onDrop={(event) => {
        const name = event.dataTransfer.getData(nameDragType);
        const made = editor.current;
        if (name === '' || !made) return;
        event.preventDefault();
        const place =
          made.getTargetAtClientPoint(event.clientX, event.clientY)?.position ?? made.getPosition();
        if (!place) return;
        const { lineNumber, column } = place;
        made.pushUndoStop();
        made.executeEdits('curio', [
          {
            range: new monaco.Range(lineNumber, column, lineNumber, column),
            text: name,
            forceMoveMarkers: true,
          },
        ]);
        made.pushUndoStop();
        made.focus();
      }}
    />
  );
}

/** A name with its path, plain or in quotes. */
const namePattern = /^(?:[\p{L}\p{N}_]+|"[^"]*")(?:\.(?:[\p{L}\p{N}_]+|"[^"]*"))*/u;

/** Underlines the name at the error's place, or the whole line where there is none. */
function markerOf(
  model: Editor.ITextModel,
  { error, start }: SqlEditorProps['problems'][number],
): Editor.IMarkerData[] {
  if (!error.at) return [];
  const first = model.getPositionAt(start);
  const line = first.lineNumber + error.at.line - 1;
  if (line > model.getLineCount()) return [];
  const column = error.at.line === 1 ? first.column + error.at.column - 1 : error.at.column;
  const named = namePattern.exec(model.getLineContent(line).slice(column - 1))?.[0] ?? '';
  const end = column + Math.max(1, named.length);
  const last = model.getLineMaxColumn(line);
  const from = Math.min(column, Math.max(1, last - 1));
  return [
    {
      severity: monaco.MarkerSeverity.Error,
      message: error.hint === undefined ? error.message : `${error.message}\n${error.hint}`,
      startLineNumber: line,
      startColumn: from,
      endLineNumber: line,
      endColumn: Math.max(from + 1, Math.min(end, last)),
    },
  ];
}
