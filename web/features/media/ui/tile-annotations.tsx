import { BoxSelect } from 'lucide-react';
import { useMemo } from 'react';
import { detectAnnotations } from '#shared/domain/annotations/detect.ts';
import { useCommands } from '../../../state/commands.ts';
import { IconButton } from '../../../ui/index.ts';
import type { GridColumn } from '../../grid/index.ts';
import { useMediaLook } from '../store.ts';
import { RowAnnotations, type StageAnnotationsProps, useAnnotationLayouts } from './row-annotations.tsx';

/** The annotations of a picture of the gallery: under the pointer, or on every picture where that is wanted. */
export function TileAnnotations({
  detail,
  source,
  isOver,
  ...props
}: StageAnnotationsProps & { isOver: boolean }) {
  const [look] = useMediaLook(props.table);
  const layouts = useAnnotationLayouts({ columns: props.columns, detail, source, media: props.media });
  return layouts.length > 0 && (look.isOnTiles || (isOver && look.hasAnnotations)) ? (
    <RowAnnotations {...props} layouts={layouts} />
  ) : null;
}

/** Whether annotations are drawn on every picture of the gallery; nothing where a table has none. */
export function TileAnnotationsToggle({ table, columns }: { table: string; columns: readonly GridColumn[] }) {
  const [look, onLook] = useMediaLook(table);
  const hasSome = useMemo(
    () =>
      detectAnnotations(
        columns.map(({ name, parsed, role }) => ({ name, type: parsed, role })),
        [],
      ).layouts.length > 0 || columns.some(({ role }) => role === 'box' || role === 'mask'),
    [columns],
  );
  const toggle = () => onLook({ isOnTiles: !look.isOnTiles });
  useCommands([
    {
      id: 'gallery.annotations',
      title: look.isOnTiles ? 'Annotations under the pointer only' : 'Annotations on every picture',
      group: 'Gallery',
      keys: ['o'],
      whyNot: () => (hasSome ? null : 'This table has no annotations'),
      run: toggle,
    },
  ]);
  if (!hasSome) return null;
  return (
    <IconButton
      label="Annotations on every picture"
      keys="o"
      icon={<BoxSelect />}
      isPressed={look.isOnTiles}
      onClick={toggle}
    />
  );
}
