import type { Operation } from 'effection';
import type { ContentBlock } from '../messages/content.ts';
import type { AnyTool } from '../tool/tool.ts';
import type { Completer } from './completion.ts';

/** One message of a prompt. Source: MCP "Prompts", `PromptMessage`. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** What a prompt's code gives: one user message as text, messages, or messages with a description of this very use. */
export type PromptResult =
  | string
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

/** An argument of a prompt, as clients list it. Arguments are text. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** Everything about a prompt, as data. `tool` is how it runs: a prompt is a call like any other, and may ask. */
export interface PromptDefinition {
  readonly name: string;
  readonly description: string;
  readonly title: string | undefined;
  readonly arguments: readonly PromptArgument[];
  readonly completers: Readonly<Record<string, Completer>>;
  readonly tool: AnyTool;
}

/** A prompt: frozen data made by `createMcpPrompt`. */
export interface Prompt<Name extends string = string, Args = unknown> {
  readonly kind: 'parley.prompt';
  readonly name: Name;
  readonly def: PromptDefinition;
  readonly types?: { readonly args: Args };
}

/** Any prompt, whatever its types. */
export type AnyPrompt = Prompt;

/** What a prompt's code is. */
export type PromptCode<Args, Context> = (args: Args, ctx: Context) => Operation<PromptResult>;
