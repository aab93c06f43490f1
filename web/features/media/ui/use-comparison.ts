import { useMemo } from 'react';
import type { ClassMap } from '#shared/domain/annotations/class-regions.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { type GridRow, readBlobCell } from '../../grid/index.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import { type ComparedSet, compareRegions, overlapSets, shownMap } from '../model/compare-regions.ts';
import { compareSets, type SetComparison } from '../model/compare-sets.ts';
import type { MediaLook } from '../store.ts';
import type { PictureMask } from './use-picture-masks.ts';

interface ComparisonOptions {
  /** What is shown of the sets. */
  shown: readonly AnnotationSet[];
  masks: readonly PictureMask[];
  row: GridRow;
  /** Drafts that stand above the row. */
  cells: Readonly<Record<string, unknown>>;
  /** Of the picture that they lie on. */
  size: Size | null;
  look: MediaLook;
}

const emptyMap: ClassMap = { width: 1, height: 1, values: new Uint8Array(1), labels: new Map() };

/** Truth against prediction, as they are chosen; null where no two sets are, and until masks that are pictures are there. */
export function useComparison(options: ComparisonOptions): SetComparison | null {
  const { shown, size, look } = options;
  const truth = useCompared(options, look.truth);
  const prediction = useCompared(options, look.prediction);
  const isPair = truth !== null && prediction !== null && truth.set.name !== prediction.set.name;
  const overlap = useMemo(
    () => (isPair && size && (truth.map || prediction.map) ? overlapSets(truth, prediction, size) : null),
    [isPair, truth, prediction, size],
  );
  const { minIou, isByClass } = look;
  return useMemo(() => {
    if (!isPair || shown.length === 0) return null;
    const how = { minIou, isByClass };
    if (overlap) return compareRegions(truth, prediction, { ...how, overlap });
    return truth.map || prediction.map ? null : compareSets(truth.set, prediction.set, how);
  }, [isPair, truth, prediction, overlap, minIou, isByClass, shown.length]);
}

/** A chosen set with its picture of classes; null where it is not shown or its picture is not there yet. */
function useCompared(
  { shown, masks, row, cells, look }: ComparisonOptions,
  name: string | null,
): ComparedSet | null {
  const set = shown.find((one) => one.name === name);
  const mask = masks.find((one) => one.name === name);
  const isEmpty = name !== null && !cells[name] && readBlobCell(row.value(name)) === null;
  const { hiddenClasses } = look;
  return useMemo(() => {
    if (!set) return null;
    if (set.layout.many !== 'picture') return { set, map: null };
    const map = mask ? mask.map : isEmpty ? emptyMap : null;
    return map && { set, map: shownMap(map, hiddenClasses) };
  }, [set, mask, isEmpty, hiddenClasses]);
}
