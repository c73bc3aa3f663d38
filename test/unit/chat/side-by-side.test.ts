import { until, useScope, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import { createChatHandler } from '#src/chat/http.ts';
import { newConversation } from '#src/chat/state.ts';
import { blocksOf, createMcpTool, type Message } from '#src/core/index.ts';
import { add, calls, ending, says, scriptedModel, withManager } from './rig.ts';

const hello: Message = { role: 'user', content: { type: 'text', text: 'hello' } };

it('the result of a call is told when it is there, and recorded in the order of the calls', async () => {
  await withManager(function* (manager) {
    const told = withResolvers<void>();
    const slow = createMcpTool('slow')
      .description('Goes on once the other result was told')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        yield* told.operation;
        return 'slow';
      });
    const model = scriptedModel([[calls('1', 'slow'), calls('2', 'add', { a: 1, b: 1 })], [says('ok')]]);
    const engine = createChatEngine({ ...ending(manager, model), tools: () => [slow, add] });
    const results: string[] = [];
    const state = yield* engine.turn({ state: newConversation('c'), message: hello }, function* (event) {
      if (event.type !== 'tool_result') return;
      results.push(`${event.toolName} ${event.callId}`);
      told.resolve();
    });
    expect(results).toEqual(['add 2', 'slow 1']);
    expect(blocksOf(state.messages[2] as Message)).toMatchObject([{ toolUseId: '1' }, { toolUseId: '2' }]);
  });
});

it('a reader that is slow gets what several calls say at once, to the end of the turn', async () => {
  const text = await withManager(function* (manager) {
    const uses = ['1', '2', '3', '4'].map((id) => calls(id, 'add', { a: 1, b: 1 }));
    const engine = createChatEngine(ending(manager, scriptedModel([uses, [says('ok')]])));
    const handle = createChatHandler(engine, { scope: yield* useScope() });
    const body = JSON.stringify({ state: newConversation('c'), message: hello });
    const response = yield* until(handle(new Request('http://chat.test', { method: 'POST', body })));
    return yield* until(response.text());
  });
  const types = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types.filter((type) => type === 'tool_result')).toHaveLength(4);
  expect(types.at(-1)).toBe('turn_end');
});
