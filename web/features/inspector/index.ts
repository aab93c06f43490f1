export { Inspector, type InspectorProps } from './ui/inspector.tsx';
export { MediaStage } from './ui/media-stage.tsx';
export { Value } from './ui/value.tsx';
