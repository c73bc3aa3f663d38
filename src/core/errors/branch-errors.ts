import { ParleyError } from './errors.ts';

/** A branch would lie deeper than the call, or a branch above it, allows. */
export class BranchDepthError extends ParleyError {
  constructor(depth: number, allowed: number, options?: ErrorOptions) {
    super(
      'BRANCH_DEPTH',
      `a branch at depth ${depth} is deeper than allowed (${allowed}). Do the work in the branch that is there, or raise maxDepth.`,
      { ...options, details: { depth, allowed } },
    );
  }

  get depth(): number {
    return Number(this.details?.depth);
  }

  get allowed(): number {
    return Number(this.details?.allowed);
  }
}

/** The samplings of a call or branch used more tokens than they may. */
export class BranchTokensError extends ParleyError {
  constructor(used: number, allowed: number, options?: ErrorOptions) {
    super(
      'BRANCH_TOKENS',
      `the samplings used ${used} tokens of ${allowed} allowed. Ask for less, or raise maxTokens.`,
      { ...options, details: { used, allowed } },
    );
  }

  get used(): number {
    return Number(this.details?.used);
  }

  get allowed(): number {
    return Number(this.details?.allowed);
  }
}
