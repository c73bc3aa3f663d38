import type { Operation } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ProposedCall } from '#src/chat/options.ts';
import { newConversation } from '#src/chat/state.ts';
import type { Message } from '#src/core/index.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { calls, collector, ending, says, scriptedModel, withManager } from './rig.ts';

const hello: Message = { role: 'user', content: { type: 'text', text: 'hello' } };

const version = (title: string) =>
  createMcpTool('act')
    .description('Acts.')
    .parameters(z.object({ how: z.enum(['well', 'badly']) }))
    .title(title)
    .elicits({})
    .execute(function* ({ how }) {
      if (how === 'badly') throw new Error('the disk is full');
      return title;
    });

/** Has a model call `act`, whose file holds its second version; gives the text of the result. */
async function told(how: string, catchUp: (write: () => void) => Operation<string | undefined>) {
  let act: AnyTool = version('first');
  const write = () => {
    act = version('second');
  };
  const asked: (string | undefined)[] = [];
  const model = scriptedModel([[calls('1', 'act', { how })], [says('done')]]);
  const { events, emit } = collector();
  await withManager((manager) =>
    createChatEngine({
      ...ending(manager, model),
      tools: () => [act],
      catchUp: () => catchUp(write),
      *confirm({ tool }: ProposedCall) {
        asked.push(tool.def.title);
        return true;
      },
    }).turn({ state: newConversation('c'), message: hello }, emit),
  );
  const result = events.find((event) => event.type === 'tool_result')?.result;
  return { asked, texts: result?.content.map((block) => block.type === 'text' && block.text) };
}

it('a tool that was written a moment ago is asked about and run as it is written', async () => {
  const { asked, texts } = await told('well', function* (write) {
    write();
    return undefined;
  });
  expect([asked, texts]).toEqual([['second'], ['second']]);
});

it.each([
  ['what it gives', 'well', 'first'],
  ['how it fails', 'badly', 'The tool failed: the disk is full'],
  ['what it does not take', 'unwell', expect.stringContaining('how')],
])('the model is told that another version ran than what is written, behind %s', async (_what, how, text) => {
  const { texts } = await told(how, function* () {
    return 'Note: an older version ran.';
  });
  expect(texts).toEqual([text, 'Note: an older version ran.']);
});

it('the model is told in words that the tool is not in its file any more', async () => {
  const { asked, texts } = await told('well', function* () {
    throw new Error("'act' is not in its file any more");
  });
  expect([asked, texts]).toEqual([[], ["'act' is not in its file any more"]]);
});
