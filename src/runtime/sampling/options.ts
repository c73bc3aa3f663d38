import { SampleOptionsError } from '../../core/errors/sampling-errors.ts';
import type { Message } from '../../core/messages/content.ts';
import type { Schema } from '../../core/schema/schema.ts';
import { isSchema } from '../../core/schema/schema-generation.ts';
import {
  type SampleSettings,
  type SampleTool,
  SCHEMA_TOOL_NAME,
  type ToolChoice,
} from '../../core/tool/sample.ts';
import { isName } from '../../core/tool/tool-checks.ts';
import { checkMessages } from './check-messages.ts';

/** The options of any sampling before they are checked: JavaScript may pass what the types refuse. */
export interface LooseSampleOptions extends SampleSettings {
  readonly prompt?: string | undefined;
  readonly messages?: readonly Message[] | undefined;
  readonly schema?: Schema | undefined;
  readonly tools?: readonly SampleTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly retries?: number | undefined;
}

/** What is asked for: text, data, or tool calls. */
export type SampleGoal =
  | { readonly kind: 'text' }
  | { readonly kind: 'schema'; readonly schema: Schema }
  | {
      readonly kind: 'tools';
      readonly tools: readonly SampleTool[];
      readonly toolChoice: ToolChoice | undefined;
      /** An answer without a call is no answer. */
      readonly mustCall: boolean;
    };

/** Options that go together. */
export interface CheckedSampleOptions {
  readonly source:
    | { readonly kind: 'prompt'; readonly prompt: string }
    | { readonly kind: 'messages'; readonly messages: readonly Message[] };
  readonly goal: SampleGoal;
  readonly settings: SampleSettings;
}

const CONTEXTS: readonly string[] = ['none', 'thisServer', 'allServers'];

const CHOICES: readonly string[] = ['auto', 'required', 'none'];

/** Checks the options of a sampling. @throws `SampleOptionsError` for what does not go together. */
export function checkSampleOptions(options: LooseSampleOptions = {}): CheckedSampleOptions {
  const { maxTokens } = options;
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens > 0)) {
    throw new SampleOptionsError(`maxTokens is a whole number above 0, not ${String(maxTokens)}`);
  }
  const { temperature, includeContext } = options;
  if (temperature !== undefined && !Number.isFinite(temperature)) {
    throw new SampleOptionsError(`temperature is a number, not ${String(temperature)}`);
  }
  if (includeContext !== undefined && !CONTEXTS.includes(includeContext)) {
    throw new SampleOptionsError(`includeContext is one of ${CONTEXTS.join(', ')}`);
  }
  return { source: sourceOf(options), goal: goalOf(options), settings: options };
}

function sourceOf({ prompt, messages }: LooseSampleOptions): CheckedSampleOptions['source'] {
  if (prompt !== undefined && messages !== undefined) {
    throw new SampleOptionsError(
      'pass either prompt or messages: a prompt joins the history, messages are sent as given',
    );
  }
  if (typeof prompt === 'string' && prompt !== '') return { kind: 'prompt', prompt };
  if (Array.isArray(messages) && messages.length > 0) {
    checkMessages(messages);
    return { kind: 'messages', messages };
  }
  throw new SampleOptionsError(
    'pass { prompt } with a text that is not empty, or { messages } with at least one message',
  );
}

function goalOf({ schema, tools, toolChoice }: LooseSampleOptions): SampleGoal {
  if (schema !== undefined && tools !== undefined) {
    throw new SampleOptionsError(
      'pass either schema or tools: a schema is answered through a tool of its own',
    );
  }
  if (schema !== undefined) {
    if (!isSchema(schema)) throw new SampleOptionsError('schema is a zod schema, such as z.object({ … })');
    if (toolChoice !== undefined) throw new SampleOptionsError('toolChoice goes with tools, not with schema');
    return { kind: 'schema', schema };
  }
  if (tools !== undefined) {
    checkTools(tools);
    checkChoice(toolChoice);
    return { kind: 'tools', tools, toolChoice, mustCall: toolChoice?.mode === 'required' };
  }
  if (toolChoice !== undefined) throw new SampleOptionsError('toolChoice goes with tools: pass them, too');
  return { kind: 'text' };
}

function checkTools(tools: readonly SampleTool[]): void {
  if (!Array.isArray(tools) || tools.length === 0) {
    throw new SampleOptionsError(
      'tools is a list of at least one tool; leave it out to sample without tools',
    );
  }
  const names = new Set<string>();
  for (const { name, inputSchema } of tools) {
    if (!isName(name)) {
      throw new SampleOptionsError(
        `'${String(name)}' cannot name a tool: use 1 to 64 letters, digits, '_' and '-'`,
      );
    }
    if (name === SCHEMA_TOOL_NAME) {
      throw new SampleOptionsError(`'${name}' is reserved for schema: give the tool another name`);
    }
    if (names.has(name)) throw new SampleOptionsError(`two tools are called '${name}'`);
    if (!isSchema(inputSchema)) {
      throw new SampleOptionsError(
        `the inputSchema of tool '${name}' is a zod schema, such as z.object({ … })`,
      );
    }
    names.add(name);
  }
}

function checkChoice(toolChoice: ToolChoice | undefined): void {
  if (toolChoice === undefined || CHOICES.includes(toolChoice.mode)) return;
  throw new SampleOptionsError(`toolChoice.mode is one of ${CHOICES.join(', ')}`);
}

/** How often to ask again. @throws `SampleOptionsError` for what is no such number. */
export function checkRetries(retries: number | undefined): number {
  if (retries === undefined) return 2;
  if (Number.isSafeInteger(retries) && retries >= 0) return retries;
  throw new SampleOptionsError(`retries is a whole number from 0, not ${String(retries)}`);
}
