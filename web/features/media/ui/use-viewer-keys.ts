import { type Command, useCommands } from '../../../state/commands.ts';
import { panView, type Stage, toPixels, type View, wholeView, zoomBy } from '../model/viewport.ts';
import type { MediaLook } from '../store.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import { type DrawKind, isPaintKind } from './use-shape-tool.ts';
import { toggleFullScreen } from './viewer-frame.tsx';

export interface ViewerKeys {
  canStep: (by: number) => boolean;
  step: (by: number) => void;
  view: View;
  setView: (view: View) => void;
  on: Stage;
  isPicture: boolean;
  /** It is turned by the arrows, which then do not step. */
  isModel: boolean;
  /** PageUp and PageDown turn its pages. */
  isPdf: boolean;
  isFilm: boolean;
  /** While classes are named by digits these do not zoom. */
  hasDigits: boolean;
  hasAnnotations: boolean;
  look: MediaLook;
  onLook: (patch: Partial<MediaLook>) => void;
  isEditing: boolean;
  setGrid: () => void;
  close: () => void;
  selectNext: (by: 1 | -1) => void;
  selected: AnnotationId | null;
  clear: () => void;
  drawing: DrawKind | null;
}

const panPx = 80;

/** The keys of the viewer, on the sheet of shortcuts while it is open. */
export function useViewerKeys(viewer: ViewerKeys): void {
  const { canStep, step, view, setView, on, look, onLook, isEditing, selected } = viewer;
  const group = 'Viewer';
  const noPicture = () => (viewer.isPicture ? null : 'There is no picture');
  const noFrame = () => (viewer.isPicture || viewer.isFilm ? null : 'There is no picture');
  const noNext = () =>
    noMarks() ??
    (viewer.drawing && isPaintKind(viewer.drawing)
      ? 'These keys change the brush'
      : viewer.isPicture || (viewer.isFilm && isEditing)
        ? null
        : 'There is no picture');
  const noMarks = () => (viewer.hasAnnotations ? null : 'There are no annotations');
  const inHand = isEditing && selected !== null;
  const rowKeys = (letter: string, page: string, arrows: string[]): string[] => [
    letter,
    ...(viewer.isPdf ? [] : [page]),
    ...(inHand || viewer.isModel ? [] : arrows),
  ];
  const zoom = (id: string, title: string, keys: string[], next: () => View): Command => ({
    id: `viewer.${id}`,
    title,
    group,
    keys,
    whyNot: noFrame,
    run: () => setView(next()),
  });
  const pan = (key: string, title: string, x: number, y: number): Command => ({
    id: `viewer.pan${key}`,
    title,
    group,
    keys: [`Shift+Arrow${key}`],
    isHidden: true,
    whyNot: () => noPicture() ?? (inHand ? 'The arrows move what is selected' : null),
    run: () => setView(panView(view, on, { x, y })),
  });
  useCommands([
    {
      id: 'viewer.next',
      title: 'Next row',
      group,
      keys: rowKeys('j', 'PageDown', ['ArrowRight', 'ArrowDown']),
      whyNot: () => (canStep(1) ? null : 'This is the last row'),
      run: () => step(1),
    },
    {
      id: 'viewer.previous',
      title: 'Previous row',
      group,
      keys: rowKeys('k', 'PageUp', ['ArrowLeft', 'ArrowUp']),
      whyNot: () => (canStep(-1) ? null : 'This is the first row'),
      run: () => step(-1),
    },
    zoom('zoomIn', 'Zoom in', ['+', '='], () => zoomBy(view, on, 1.4)),
    zoom('zoomOut', 'Zoom out', ['-'], () => zoomBy(view, on, 1 / 1.4)),
    zoom('fit', 'The whole picture', ['0'], () => wholeView),
    zoom('full', 'Every pixel on one of the screen', viewer.hasDigits ? [] : ['1'], () => toPixels(view, on)),
    zoom('double', 'Two to one', viewer.hasDigits ? [] : ['2'], () => toPixels(view, on, 2)),
    zoom('eight', 'Eight to one', viewer.hasDigits ? [] : ['3'], () => toPixels(view, on, 8)),
    pan('Left', 'Move the picture', panPx, 0),
    { ...pan('Right', 'Move the picture to the right', -panPx, 0), isUnlisted: true },
    { ...pan('Up', 'Move the picture up', 0, panPx), isUnlisted: true },
    { ...pan('Down', 'Move the picture down', 0, -panPx), isUnlisted: true },
    {
      id: 'viewer.grid',
      title: 'Pixel grid, from 1200 %',
      group,
      keys: ['g'],
      whyNot: noPicture,
      run: viewer.setGrid,
    },
    {
      id: 'viewer.annotations',
      title: look.hasAnnotations ? 'Hide annotations' : 'Show annotations',
      group,
      keys: ['o'],
      whyNot: noMarks,
      run: () => onLook({ hasAnnotations: !look.hasAnnotations }),
    },
    {
      id: 'viewer.names',
      title: look.hasNames ? 'Hide names of annotations' : 'Show names of annotations',
      group,
      keys: ['n'],
      whyNot: noMarks,
      run: () => onLook({ hasNames: !look.hasNames }),
    },
    {
      id: 'viewer.nextAnnotation',
      title: 'Next annotation',
      group,
      keys: [']'],
      whyNot: noNext,
      run: () => viewer.selectNext(1),
    },
    {
      id: 'viewer.previousAnnotation',
      title: 'Previous annotation',
      group,
      keys: ['['],
      whyNot: noNext,
      run: () => viewer.selectNext(-1),
    },
    {
      id: 'viewer.panel',
      title: look.hasPanel ? 'Hide the panel' : 'Show the panel',
      group,
      keys: ['i'],
      run: () => onLook({ hasPanel: !look.hasPanel }),
    },
    { id: 'viewer.fullScreen', title: 'Full screen', group, keys: ['f'], run: toggleFullScreen },
    {
      id: 'viewer.close',
      title: selected || viewer.drawing ? 'Select nothing' : 'Close the viewer',
      group,
      keys: ['Escape'],
      run: () => (selected || viewer.drawing ? viewer.clear() : viewer.close()),
    },
  ]);
}
