import type { Size } from '#shared/domain/annotations/shape.ts';
import { type Placement, seenBox } from '../model/viewport.ts';
import { AnnotationLayer } from './annotation-layer.tsx';
import { PaintPreview } from './paint-preview.tsx';
import type { RowStageProps } from './row-stage.tsx';
import { DrawnShape, ShapeHandles } from './shape-handles.tsx';
import { findAnnotation, type ShapeTool, useShapeTool } from './use-shape-tool.ts';

const noSize: Size = { width: 1, height: 1 };

/** The pointer as the tool of a stage. */
export const useStageTool = (props: RowStageProps, size: Size | null): ShapeTool =>
  useShapeTool({
    sets: props.sets,
    size: size ?? noSize,
    selected: props.selected,
    onSelect: props.onSelect,
    isEditing: props.isEditing,
    drawing: props.drawing,
    onDrawn: props.onDrawn,
    onPoint: props.onPoint,
    onPaint: props.onPaint,
    onReshape: props.onReshape,
  });

/** The annotations of a picture or frame with what is being done to them. */
export function EditedLayer({
  props,
  tool,
  size,
  placement,
  stage,
}: {
  props: RowStageProps;
  tool: ShapeTool;
  size: Size;
  placement: Placement;
  stage: Size;
}) {
  const { sets, masks, look, selected, isEditing } = props;
  const current = isEditing ? findAnnotation(sets, selected) : undefined;
  const handled = tool.live && current ? tool.live.shapes : current?.shapes;
  return (
    <AnnotationLayer
      sets={sets}
      size={size}
      seen={seenBox(placement, stage)}
      scale={placement.scale}
      hasNames={look.hasNames}
      comparison={props.comparison}
      selected={selected}
      live={tool.live}
      pictures={masks.map((mask) => ({ name: mask.name, href: mask.paint(look.hiddenClasses) }))}
    >
      {handled && <ShapeHandles shapes={handled} scale={placement.scale} current={props.handle} />}
      {(tool.stroke || tool.spot) && (
        <PaintPreview
          stroke={tool.stroke}
          spot={tool.spot}
          diameter={props.diameter}
          isErasing={props.drawing === 'eraser'}
        />
      )}
      {tool.drawn && <DrawnShape shape={tool.drawn} />}
    </AnnotationLayer>
  );
}
