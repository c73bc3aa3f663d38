import { defined } from '../core/schema/defined.ts';
import { canAnswer } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { ChatModel } from './model.ts';

const CAPABILITIES = { sampling: { tools: true } } as const;

/** The model of a conversation as whom its tools ask with `ctx.sample`. What it says there is the tool's, and nobody else's to read. */
export function modelClient(model: ChatModel): Client {
  return {
    name: 'the model of the conversation',
    capabilities: () => CAPABILITIES,
    can: (ask) => ask.kind === 'sample' && canAnswer(CAPABILITIES, ask),
    *sample({ request }, { offClock }) {
      const {
        messages,
        systemPrompt,
        maxTokens,
        temperature,
        stopSequences,
        tools = [],
        toolChoice,
      } = request;
      const asked = {
        messages,
        tools: tools.map(({ description = '', ...tool }) => ({ ...tool, description })),
        maxTokens,
        ...defined({ systemPrompt, temperature, stopSequences, toolChoice }),
      };
      return yield* offClock(() => model.respond(asked, function* () {}));
    },
  };
}
