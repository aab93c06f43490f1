export { Inspector, type InspectorProps } from './ui/inspector.tsx';
