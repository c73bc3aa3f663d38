import { BranchDepthError, BranchTokensError } from './branch-errors.ts';
import {
  CallAbortedError,
  CallEndedError,
  HandlerError,
  McpCapabilityError,
  McpDisconnectError,
  McpTimeoutError,
  ViewError,
} from './call-errors.ts';
import {
  OutputInvalidError,
  ParamsInvalidError,
  PluginDefinitionError,
  ToolDefinitionError,
} from './definition-errors.ts';
import {
  ElicitationCancelledError,
  ElicitationDeclinedError,
  ElicitationInBranchError,
  ElicitationInvalidError,
  ElicitationModeError,
  ElicitationOptionsError,
  ElicitationPendingError,
} from './elicit-errors.ts';
import type { ErrorCode, ParleyError } from './errors.ts';
import { GitError } from './git-error.ts';
import { ToolCrashedError, ToolStuckError } from './isolation-errors.ts';
import {
  ModelQuotaError,
  NoModelError,
  SampleOptionsError,
  SampleValidationError,
  SamplingError,
  SamplingRefusedError,
} from './sampling-errors.ts';
import {
  AnswerInvalidError,
  AnswerStaleError,
  AskClaimedError,
  AskClosedError,
  AskNotFoundError,
  SessionExistsError,
  SessionLimitError,
  SessionNotFoundError,
} from './session-errors.ts';

/** The class of each code: how an error that crossed a worker becomes what it was. */
export const ERROR_CLASSES: Readonly<Record<ErrorCode, { readonly prototype: ParleyError }>> = {
  TOOL_DEFINITION: ToolDefinitionError,
  PLUGIN_DEFINITION: PluginDefinitionError,
  PARAMS_INVALID: ParamsInvalidError,
  OUTPUT_INVALID: OutputInvalidError,
  CAPABILITY: McpCapabilityError,
  TIMEOUT: McpTimeoutError,
  DISCONNECTED: McpDisconnectError,
  CALL_ENDED: CallEndedError,
  CALL_ABORTED: CallAbortedError,
  ELICITATION_DECLINED: ElicitationDeclinedError,
  ELICITATION_CANCELLED: ElicitationCancelledError,
  ELICITATION_INVALID: ElicitationInvalidError,
  ELICITATION_PENDING: ElicitationPendingError,
  ELICITATION_IN_BRANCH: ElicitationInBranchError,
  ELICITATION_MODE: ElicitationModeError,
  ELICITATION_OPTIONS: ElicitationOptionsError,
  SAMPLING: SamplingError,
  SAMPLING_REFUSED: SamplingRefusedError,
  SAMPLING_NO_MODEL: NoModelError,
  SAMPLING_QUOTA: ModelQuotaError,
  SAMPLE_OPTIONS: SampleOptionsError,
  SAMPLE_VALIDATION: SampleValidationError,
  BRANCH_DEPTH: BranchDepthError,
  BRANCH_TOKENS: BranchTokensError,
  SESSION_NOT_FOUND: SessionNotFoundError,
  SESSION_EXISTS: SessionExistsError,
  SESSION_LIMIT: SessionLimitError,
  ASK_NOT_FOUND: AskNotFoundError,
  ASK_CLOSED: AskClosedError,
  ASK_CLAIMED: AskClaimedError,
  ANSWER_STALE: AnswerStaleError,
  ANSWER_INVALID: AnswerInvalidError,
  HANDLER: HandlerError,
  VIEW: ViewError,
  GIT: GitError,
  TOOL_STUCK: ToolStuckError,
  TOOL_CRASHED: ToolCrashedError,
};
