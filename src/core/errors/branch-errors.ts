import { defineError } from './define-error.ts';

/** A branch would lie deeper than the call, or a branch above it, allows. */
export const BranchDepthError = defineError(
  'BRANCH_DEPTH',
  'BranchDepthError',
  ({ depth, allowed }: { depth: number; allowed: number }) =>
    `a branch at depth ${depth} is deeper than allowed (${allowed}). Do the work in the current branch, or raise maxDepth.`,
);

/** The samplings of a branch used more tokens than they may. */
export const BranchTokensError = defineError(
  'BRANCH_TOKENS',
  'BranchTokensError',
  ({ used, allowed }: { used: number; allowed: number }) =>
    `the samplings of a branch used ${used} tokens of ${allowed} allowed. Ask for less, or raise its maxTokens.`,
);

/** The samplings of a call used more tokens than they may. */
export const CallTokensError = defineError(
  'CALL_TOKENS',
  'CallTokensError',
  ({ used, allowed }: { used: number; allowed: number }) =>
    `the samplings of the call used ${used} tokens of ${allowed} allowed. Ask for less, or raise maxTokens in its limits.`,
);
