export { StepDialog } from './ui/step-dialog.tsx';
