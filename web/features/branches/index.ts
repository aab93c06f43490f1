export { createBranch, deleteBranch } from './actions.ts';
export {
  branchNameProblem,
  commitsAhead,
  describeRef,
  listRefOptions,
  mergeTarget,
  pinnedText,
  readRef,
} from './model.ts';
export { revertOnNewBranch } from './revert-on-branch.ts';
export { openBranchDialog } from './store.ts';
export { BranchBar, type BranchBarProps } from './ui/branch-bar.tsx';
