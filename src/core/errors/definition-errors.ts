import { ParleyError, type ParleyErrorOptions } from './errors.ts';

/** A tool is defined wrongly: a step out of order, a name, or a schema that cannot go on the wire. */
export class ToolDefinitionError extends ParleyError {
  constructor(message: string, options?: ParleyErrorOptions) {
    super('TOOL_DEFINITION', message, options);
  }
}

/** A plugin does not fit its tool: a handler is missing, or answers nothing the tool declares. */
export class PluginDefinitionError extends ParleyError {
  constructor(message: string, options?: ParleyErrorOptions) {
    super('PLUGIN_DEFINITION', message, options);
  }
}

/** The parameters of a call do not fit the tool's schema. `problem` names the fields. */
export class ParamsInvalidError extends ParleyError {
  constructor(toolName: string, problem: string, options?: ErrorOptions) {
    super(
      'PARAMS_INVALID',
      `the parameters of '${toolName}' are not valid: ${problem}. Call it again with corrected parameters.`,
      { ...options, details: { toolName, problem } },
    );
  }

  get problem(): string {
    return String(this.details?.problem);
  }
}

/** What a tool returned does not fit the `output` it declares. */
export class OutputInvalidError extends ParleyError {
  constructor(toolName: string, problem: string, options?: ErrorOptions) {
    super(
      'OUTPUT_INVALID',
      `'${toolName}' returned something that does not fit its .output() schema: ${problem}. This is a defect of the tool: change what it returns, or the schema.`,
      { ...options, details: { toolName, problem } },
    );
  }

  get problem(): string {
    return String(this.details?.problem);
  }
}
