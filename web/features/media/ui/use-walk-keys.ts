import { boundsOfAll } from '#shared/domain/annotations/measure.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { type SetComparison, verdictKey } from '../model/compare-sets.ts';
import { revealBox, type Stage, type View, zoomToBox } from '../model/viewport.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import { findAnnotation } from './use-shape-tool.ts';

export interface Walk {
  shown: readonly AnnotationSet[];
  selected: AnnotationId | null;
  onSelect: (id: AnnotationId | null) => void;
  comparison: SetComparison | null;
  view: View;
  setView: (view: View) => void;
  on: Stage;
  isFilm: boolean;
}

/** From one annotation to the next, each brought into view. */
export function useWalkKeys({ shown, selected, onSelect, comparison, view, setView, on, isFilm }: Walk): {
  selectNext: (by: 1 | -1) => void;
} {
  const walk = (by: 1 | -1, isWanted: (id: AnnotationId) => boolean) => {
    const all = shown.flatMap(({ name: set, annotations }) =>
      annotations.map(({ index }) => ({ set, index })),
    );
    const at = all.findIndex((one) => one.set === selected?.set && one.index === selected.index);
    for (let step = 1; step <= all.length; step++) {
      const next = all[(at + by * step + (at === -1 && by < 0 ? 1 : 0) + all.length * 2) % all.length];
      if (!next || !isWanted(next)) continue;
      onSelect(next);
      const bounds = boundsOfAll(findAnnotation(shown, next)?.shapes ?? []);
      if (bounds) setView(revealBox(view, on, bounds));
      return;
    }
    if (all.length === 0) onSelect(null);
  };
  const isProblem = ({ set, index }: AnnotationId) => {
    const verdict = comparison?.verdicts.get(verdictKey(set, index))?.verdict;
    return verdict === 'miss' || verdict === 'false';
  };
  const problems = comparison ? comparison.misses + comparison.falses : 0;
  const noProblem = () =>
    comparison === null ? 'No two sets are compared' : problems === 0 ? 'Everything matches' : null;
  const group = 'Viewer';
  const current = findAnnotation(shown, selected);
  const commands: Command[] = [
    {
      id: 'viewer.zoomToSelected',
      title: 'Zoom to what is selected',
      group,
      keys: ['z'],
      whyNot: () => (current ? null : 'Nothing is selected'),
      run: () => {
        const bounds = boundsOfAll(current?.shapes ?? []);
        if (bounds) setView(zoomToBox(view, on, bounds));
      },
    },
    {
      id: 'viewer.nextProblem',
      title: 'Next miss or false one of the comparison',
      group,
      keys: isFilm ? ['Alt+]'] : ['}', 'Alt+]'],
      whyNot: noProblem,
      run: () => walk(1, isProblem),
    },
    {
      id: 'viewer.previousProblem',
      title: 'Previous miss or false one of the comparison',
      group,
      keys: isFilm ? ['Alt+['] : ['{', 'Alt+['],
      whyNot: noProblem,
      run: () => walk(-1, isProblem),
    },
  ];
  useCommands(commands);
  return { selectNext: (by) => walk(by, () => true) };
}
