export { MediaProblem } from '../../grid/index.ts';
