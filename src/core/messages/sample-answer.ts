import type { MessageContent } from './content.ts';

/** Why the model stopped. Open ended: MCP lets clients say more. */
export type StopReason = 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {});

/** The answer to a sampling. Source: MCP `CreateMessageResult`. */
export interface SampleAnswer {
  readonly role: 'assistant';
  readonly content: MessageContent | readonly MessageContent[];
  readonly model: string;
  readonly stopReason?: StopReason;
  /** What the sampling cost, where the client knows. Beyond MCP: without it, Parley estimates. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}
