import { createScope, type Operation, suspend } from 'effection';
import * as z from 'zod';
import type { ChatEvent } from '#src/chat/events.ts';
import type { ChatModel, ChatModelRequest } from '#src/chat/model.ts';
import type { ChatEngineOptions } from '#src/chat/options.ts';
import { createMcpTool, type MessageContent } from '#src/core/index.ts';
import type { SampleAnswer } from '#src/core/tool/ask.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';

/** A model that says the next thing of its script, and remembers what it was sent. */
export function scriptedModel(
  script: ReadonlyArray<readonly MessageContent[] | 'hang'>,
): ChatModel & { readonly requests: ChatModelRequest[] } {
  const requests: ChatModelRequest[] = [];
  return {
    requests,
    *respond(request, onText): Operation<SampleAnswer> {
      const next = script[requests.length];
      requests.push(request);
      if (!next) throw new Error(`the script has no answer ${requests.length}`);
      if (next === 'hang') {
        yield* onText('Let me th');
        yield* suspend();
        throw new Error('a suspended model goes on only when it is halted');
      }
      for (const block of next) if (block.type === 'text') yield* onText(block.text);
      return { role: 'assistant', content: [...next], model: 'scripted' };
    },
  };
}

/** What the model says. */
export const says = (text: string): MessageContent => ({ type: 'text', text });
/** A tool that the model calls. */
export const calls = (
  id: string,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): MessageContent => ({ type: 'tool_use', id, name, input });

/** Answers nothing; questions to the person wait for a later turn. */
export const nobody: Client = { name: 'nobody', capabilities: () => ({}), can: () => false };

/** Asks for a colour and says it. */
export const askColour = createMcpTool('ask_colour')
  .description('Asks the user for a colour')
  .parameters(z.object({ why: z.string().optional() }))
  .elicits({ colour: z.object({ colour: z.string().min(2) }) })
  .execute(function* (_params, ctx) {
    yield* ctx.log('info', 'about to ask');
    const answer = yield* ctx.elicit('colour', { message: 'Which colour?' });
    return answer.action === 'accept'
      ? `The user likes ${answer.content.colour}`
      : `The user said ${answer.action}`;
  });

/** Answers at once. */
export const add = createMcpTool('add')
  .description('Adds two numbers')
  .parameters(z.object({ a: z.number(), b: z.number() }))
  .elicits({})
  .execute(function* ({ a, b }) {
    return a + b;
  });

/** Fails. */
export const fails = createMcpTool('fails')
  .description('Fails')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    throw new Error('the disk is full');
  });

/** Runs `body` with a manager, and takes everything down after. */
export async function withManager<T>(body: (manager: SessionManager) => Operation<T>): Promise<T> {
  const [scope, destroy] = createScope();
  try {
    return await scope.run(function* () {
      return yield* body(yield* createSessionManager());
    });
  } finally {
    await destroy();
  }
}

/** Options of an engine whose turns end while a call waits. */
export function ending(manager: SessionManager, model: ChatModel): ChatEngineOptions {
  return { manager, model, tools: () => [askColour, add, fails], waiting: { mode: 'end', client: nobody } };
}

/** Collects events. */
export function collector(): { readonly events: ChatEvent[]; emit(event: ChatEvent): Operation<void> } {
  const events: ChatEvent[] = [];
  return {
    events,
    *emit(event) {
      events.push(event);
    },
  };
}
