/**
 * Point clouds and meshes. `<ModelStage table address name>` shows one with its tools and keys; several with one camera
 * are a `<BesideFigure table orbit onOrbit>` each, with `<BesideTools>` once. Load it lazily: it brings the renderer along.
 */
export { BesideFigure, BesideTools } from './ui/beside.tsx';
export { type ModelFigureProps, ModelStage, type ModelStageProps } from './ui/model-stage.tsx';
export type { ModelKeys } from './ui/use-model-keys.ts';
