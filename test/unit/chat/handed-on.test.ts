import { expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import { newConversation } from '#src/chat/state.ts';
import { createMcpTool, type Message } from '#src/core/index.ts';
import { calls, collector, ending, says, scriptedModel, withManager } from './rig.ts';

const user = (text: string): Message => ({ role: 'user', content: { type: 'text', text } });

/** Asks twice in one conversation, and gives what its tool read each time. */
async function read(earlier: readonly Message[] = []): Promise<Array<readonly Message[]>> {
  const seen: Array<readonly Message[]> = [];
  const look = createMcpTool('look')
    .description('Looks at the conversation')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_params, ctx) {
      seen.push(ctx.parentMessages);
      return 'seen';
    });
  await withManager((manager) =>
    createChatEngine({
      ...ending(manager, scriptedModel([[calls('1', 'look')], [calls('2', 'look')], [says('ok')]])),
      tools: () => [look],
    }).turn({ state: newConversation('c', earlier), message: user('hello') }, collector().emit),
  );
  return seen;
}

it('a tool reads the conversation that its call came from, without the answer that asks for it', async () => {
  const [first, second] = await read();
  expect(first).toEqual([user('hello')]);
  expect(second?.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ type: 'tool_use', id: '1' }] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: '1' }] },
  ]);
});

it('of a long conversation it reads the newest turns, for that is kept with each call', async () => {
  const [first] = await read([user('x'.repeat(90_000)), user('y'.repeat(90_000))]);
  expect(JSON.stringify(first).length).toBeLessThan(101_000);
  expect(first?.map(({ content }) => JSON.stringify(content).slice(0, 60))).toEqual([
    expect.stringContaining('The beginning'),
    expect.stringContaining('yyy'),
    expect.stringContaining('hello'),
  ]);
});
