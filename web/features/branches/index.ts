export { commitsAhead, describeRef, editableBranch, mergeTarget, pinnedText, readRef } from './model.ts';
