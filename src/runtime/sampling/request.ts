import { blocksOf, type Message } from '../../core/messages/content.ts';
import type { JsonSchema } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { SampleAskRequest } from '../../core/tool/ask.ts';
import {
  type SampleSettings,
  SCHEMA_TOOL_DESCRIPTION,
  SCHEMA_TOOL_NAME,
  type ToolChoice,
} from '../../core/tool/sample.ts';
import { flattenToolBlocks } from './flatten.ts';

/** Tokens of the answer when a tool does not say; MCP wants a number. */
export const DEFAULT_MAX_TOKENS = 4096;

/** A tool as a request carries it. */
export type RequestTool = NonNullable<SampleAskRequest['tools']>[number];

/** How the model is to answer: with text, with calls of these tools, or with text that is JSON. */
export type AnswerForm =
  | { readonly kind: 'text' }
  | {
      readonly kind: 'tools';
      readonly tools: readonly RequestTool[];
      readonly toolChoice: ToolChoice | undefined;
    }
  | { readonly kind: 'json'; readonly schema: JsonSchema };

/** The reserved tool through which a model answers with data. */
export function schemaTool(inputSchema: JsonSchema): AnswerForm {
  return {
    kind: 'tools',
    tools: [{ name: SCHEMA_TOOL_NAME, description: SCHEMA_TOOL_DESCRIPTION, inputSchema }],
    toolChoice: { mode: 'required' },
  };
}

/** What a request is made of beside its settings. */
export interface RequestParts {
  readonly messages: readonly Message[];
  readonly form: AnswerForm;
  readonly settings: SampleSettings;
  /** Used where the settings give none. */
  readonly inheritedSystemPrompt: string | undefined;
  /** Whether the client can sample with tools: one that cannot reads tool calls as text. */
  readonly canUseTools: boolean;
}

/** The request that a client gets. @see MCP 2025-11-25, "Sampling", `CreateMessageRequest` */
export function sampleRequest(parts: RequestParts): SampleAskRequest {
  const { form, settings } = parts;
  const systemPrompt = settings.systemPrompt ?? parts.inheritedSystemPrompt;
  const { temperature, stopSequences, modelPreferences, metadata, includeContext } = settings;
  const messages = parts.canUseTools ? parts.messages : flattenToolBlocks(parts.messages);
  return {
    messages: form.kind === 'json' ? withInstruction(messages, jsonInstruction(form.schema)) : messages,
    maxTokens: settings.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...defined({ systemPrompt, temperature, stopSequences, modelPreferences, metadata, includeContext }),
    ...(form.kind === 'tools' ? toolsOf(form) : {}),
  };
}

function toolsOf({ tools, toolChoice }: Extract<AnswerForm, { kind: 'tools' }>) {
  return { tools, ...defined({ toolChoice }) };
}

function jsonInstruction(schema: JsonSchema): string {
  return `${SCHEMA_TOOL_DESCRIPTION} Answer with one JSON value and nothing else:\n${JSON.stringify(schema)}`;
}

/** Adds to the last message if that is plain text of the user, for the sake of models that want the roles to alternate. */
function withInstruction(messages: readonly Message[], instruction: string): readonly Message[] {
  const last = messages.at(-1);
  const blocks = last ? blocksOf(last) : [];
  const [only] = blocks;
  if (last?.role === 'user' && blocks.length === 1 && only?.type === 'text') {
    const text = `${only.text}\n\n${instruction}`;
    return [...messages.slice(0, -1), { role: 'user', content: { type: 'text', text } }];
  }
  return [...messages, { role: 'user', content: { type: 'text', text: instruction } }];
}
