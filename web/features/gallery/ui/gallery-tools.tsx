import { Captions } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button, Menu, Select, Slider } from '../../../ui/index.ts';
import type { GridColumn } from '../../grid/index.ts';
import { pictureColumnsOf, plainCaptions } from '../model/captions.ts';
import { useGalleryLook } from '../store.ts';

const TileAnnotationsToggle = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.TileAnnotationsToggle })),
);

const mostCaptions = 4;

/** How the gallery looks: which pictures, what stands under them, how large. */
export function GalleryTools({ table, columns }: { table: string; columns: readonly GridColumn[] }) {
  const [look, setLook] = useGalleryLook(table);
  const pictures = pictureColumnsOf(columns);
  const picture = pictures.find((column) => column.name === look.column) ?? pictures[0];
  const captions = look.captions ?? plainCaptions(columns);
  const toggle = (name: string) =>
    setLook({
      captions: captions.includes(name)
        ? captions.filter((one) => one !== name)
        : [...captions, name].slice(-mostCaptions),
    });
  if (!picture) return null;
  return (
    <>
      {pictures.length > 1 && (
        <Select
          label="Picture column"
          isQuiet
          value={picture.name}
          options={pictures.map((column) => ({ value: column.name, label: column.name }))}
          onChange={(column) => setLook({ column })}
        />
      )}
      <Menu
        label="Captions"
        trigger={
          <Button look="quiet" icon={<Captions />}>
            Captions
          </Button>
        }
        items={columns
          .filter((column) => !column.isHidden && column.kind !== 'media' && column.kind !== 'vector')
          .map((column) => ({
            id: column.name,
            label: column.name,
            isChecked: captions.includes(column.name),
            onSelect: () => toggle(column.name),
          }))}
      />
      <Suspense fallback={null}>
        <TileAnnotationsToggle table={table} columns={columns} />
      </Suspense>
      <Slider
        label="Picture size"
        value={look.heightPx}
        min={80}
        max={420}
        step={10}
        onChange={(heightPx) => setLook({ heightPx })}
      />
    </>
  );
}
