import { defineError } from './define-error.ts';

/** A tool is defined wrongly: a step out of order, a name, or a schema that cannot go on the wire. */
export const ToolDefinitionError = defineError('TOOL_DEFINITION', 'ToolDefinitionError');

/** A plugin does not fit its tool: a handler is missing, or answers nothing the tool declares. */
export const PluginDefinitionError = defineError('PLUGIN_DEFINITION', 'PluginDefinitionError');

/** The parameters of a call do not fit the tool's schema. `problem` names the fields. */
export const ParamsInvalidError = defineError(
  'PARAMS_INVALID',
  'ParamsInvalidError',
  ({ toolName, problem }: { toolName: string; problem: string }) =>
    `the parameters of '${toolName}' are not valid: ${problem}. Call it again with corrected parameters.`,
);

/** What a tool returned does not fit the `output` it declares. */
export const OutputInvalidError = defineError(
  'OUTPUT_INVALID',
  'OutputInvalidError',
  ({ toolName, problem }: { toolName: string; problem: string }) =>
    `'${toolName}' returned something that does not fit its .output() schema: ${problem}. This is a defect of the tool: change what it returns, or the schema.`,
);

/** What a tool returned cannot be told to anybody: it is not JSON. */
export const ResultNotJsonError = defineError(
  'RESULT_NOT_JSON',
  'ResultNotJsonError',
  ({ toolName, problem }: { toolName: string; problem: string }) =>
    `'${toolName}' returned something that is not JSON: ${problem}. This is a defect of the tool: return JSON, text or content blocks.`,
);

/** The code of a tool does something that no tool can mean: it returns what was not run, or yields what is no operation. */
export const ToolCodeError = defineError(
  'TOOL_CODE',
  'ToolCodeError',
  ({ toolName, problem }: { toolName: string; problem: string }) =>
    `the code of '${toolName}' has a mistake: ${problem}.`,
);
