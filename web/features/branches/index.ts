export { createBranch, createTag, deleteBranch } from './actions.ts';
export {
  branchNameProblem,
  commitsAhead,
  describeRef,
  editableBranch,
  listRefOptions,
  mergeTarget,
  pinnedText,
  readRef,
} from './model.ts';
export { revertOnNewBranch, undoBranchName } from './revert-on-branch.ts';
export { openBranchDialog } from './store.ts';
export { BranchBar, type BranchBarProps } from './ui/branch-bar.tsx';
export { BranchDialogs } from './ui/branch-dialogs.tsx';
