import type { Bridge } from './bridge.ts';

/** What came of one turn of Copilot's agent, as VS Code reports it. */
export interface AgentTurn {
  readonly errorDetails?: { readonly message: string };
  readonly metadata?: {
    /** What the model said, and which tools it called with what, round by round. */
    readonly toolCallRounds?: readonly {
      readonly response: string;
      readonly toolCalls: readonly {
        readonly id: string;
        readonly name: string;
        readonly arguments: string;
      }[];
    }[];
    /** What the tools answered, by the id of the call. */
    readonly toolCallResults?: Readonly<Record<string, { readonly content: readonly unknown[] }>>;
  };
}

/**
 * Asks Copilot's agent in the chat view, with the demo model, and resolves when the turn is over. Only the newest VS
 * Code has Copilot built in. Tools that change something ask first, unless the setting `chat.permissions.default` is
 * `autoApprove`.
 */
export async function askAgent(bridge: Bridge, query: string): Promise<AgentTurn> {
  const turn = await bridge.execute('workbench.action.chat.open', {
    query,
    mode: 'agent',
    modelSelector: { vendor: 'parley-demo', id: 'demo' },
    blockOnResponse: true,
  });
  return turn as AgentTurn;
}
