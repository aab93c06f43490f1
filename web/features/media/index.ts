/**
 * Annotations over pictures. `<RowAnnotations>` reads those of a row and lays them over its fitted picture;
 * `<AnnotationLayer sets size tones>` draws sets that were read before, such as old (`removed`) over new (`added`).
 */
export {
  type AnnotationSet,
  cellsOfRow,
  detectInTable,
  layoutsFor,
  readSets,
} from './model/annotation-sets.ts';
export { changeMediaLook, useMediaLook } from './store.ts';
export { AnnotationLayer, type AnnotationLayerProps } from './ui/annotation-layer.tsx';
export { MediaViewer, type MediaViewerProps } from './ui/media-viewer.tsx';
export {
  RowAnnotations,
  type RowAnnotationsProps,
  StageAnnotations,
  type StageAnnotationsProps,
  useAnnotationLayouts,
} from './ui/row-annotations.tsx';
export { SelectionCrops, type SelectionCropsProps } from './ui/selection-crops.tsx';
export { SideBySide, type SideBySideProps } from './ui/side-by-side.tsx';
export { TextReader, ValueReader } from './ui/text-reader.tsx';
export { TileAnnotations, TileAnnotationsToggle } from './ui/tile-annotations.tsx';
