import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Annotation, Shape } from '#shared/domain/annotations/shape.ts';
import type { DrawKind } from './use-shape-tool.ts';

const paintTools: DrawKind[] = ['brush', 'eraser', 'fill'];

/** What can be drawn in a set: outlines are drawn or painted as those are that it has. */
export function drawKinds(
  layout: AnnotationLayout | undefined,
  { annotations, isMaskColumn }: { annotations: readonly Annotation[]; isMaskColumn: boolean },
): DrawKind[] {
  if (!layout) return [];
  if (layout.many === 'picture') return paintTools;
  const has = (kind: Shape['kind']) =>
    annotations.some(({ shapes }) => shapes.some((one) => one.kind === kind));
  const [hasMasks, hasPolygons] = [has('mask'), has('polygon')];
  const outlines: DrawKind[] = [
    ...(hasMasks || (isMaskColumn && !hasPolygons) ? paintTools : []),
    ...(hasPolygons || !(hasMasks || isMaskColumn) ? (['polygon'] as const) : []),
  ];
  return layout.geometry.flatMap((one): DrawKind[] =>
    one.kind === 'box' || one.kind === 'rotated'
      ? [one.kind]
      : one.kind === 'outline'
        ? outlines
        : ['points'],
  );
}

/** Drawn in one go. */
export const isOutlined = (kind: DrawKind): boolean =>
  kind === 'box' || kind === 'rotated' || kind === 'polygon';
