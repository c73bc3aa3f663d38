import { until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { CallerKind } from '#src/vscode/agents/mcp/choose-surface.ts';
import type { QuestionSurface } from '#src/vscode/ids.ts';
import { callText, connect, inWindow } from './window-kit.ts';

// Neither says what it requires, so both are listed to everybody, and what is missing shows when they ask.
const asks = createMcpTool('asks')
  .description('Asks.')
  .parameters(z.object({}))
  .elicits({ who: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit.strict('who', { message: 'Who?' })).name;
  });
const samples = createMcpTool('samples')
  .description('Samples.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_, ctx) {
    return (yield* ctx.sample({ prompt: 'Who?' })).text;
  });

const missing = {
  asks: /needs a client that can ask the user/,
  samples: /needs a client that can ask a model/,
};

type Answerer = 'editor' | 'client' | 'nobody';

const table: readonly [CallerKind, QuestionSurface, able: boolean, Answerer][] = [
  ['copilot', 'auto', true, 'editor'],
  ['copilot', 'auto', false, 'editor'],
  ['copilot', 'editor', true, 'editor'],
  ['copilot', 'client', true, 'client'],
  ['copilot', 'client', false, 'nobody'],
  ['external', 'auto', true, 'client'],
  ['external', 'auto', false, 'editor'],
  ['external', 'editor', true, 'editor'],
  ['external', 'editor', false, 'editor'],
  ['external', 'client', true, 'client'],
  ['external', 'client', false, 'nobody'],
];

describe.each([
  ['elicitation', asks],
  ['sampling', samples],
] as const)('over the wire, parley.%s.surface', (setting, tool) => {
  it.each(table)(
    'for %s is %s: when the client is able (%s), %s answers',
    (kind, surface, able, answerer) => {
      // The other setting says the opposite and changes nothing.
      const other: QuestionSurface = surface === 'client' ? 'editor' : 'client';
      const surfaces = { elicitation: other, sampling: other, [setting]: surface };
      return inWindow(
        function* ({ server, workspace }) {
          workspace.replace({ tools: [{ tool }] });
          const endpoint = yield* kind === 'copilot' ? server.forCopilot() : server.forClient('Cursor');
          const says = able ? 'client' : undefined;
          const client = yield* until(
            setting === 'elicitation' ? connect(endpoint, says) : connect(endpoint, undefined, says),
          );
          const answer = yield* until(callText(client, tool.name));
          if (answerer === 'nobody') expect(answer).toMatch(missing[tool.name]);
          else expect(answer).toBe(answerer);
          yield* until(client.close());
        },
        { surfaces },
      );
    },
  );

  it('is read at each call, not when the client connects', () => {
    const surfaces: { elicitation: QuestionSurface; sampling: QuestionSurface } = {
      elicitation: 'auto',
      sampling: 'auto',
    };
    return inWindow(
      function* ({ server, workspace }) {
        workspace.replace({ tools: [{ tool }] });
        const client = yield* until(connect(yield* server.forClient('Cursor'), 'client', 'client'));
        expect(yield* until(callText(client, tool.name))).toBe('client');
        surfaces[setting] = 'editor';
        expect(yield* until(callText(client, tool.name))).toBe('editor');
        yield* until(client.close());
      },
      { surfaces },
    );
  });
});

describe('who waits for an answer', () => {
  const inPanel = 'Waiting for your answer in the Parley panel';
  it.each([
    ['copilot', 'panel', inPanel],
    ['copilot', 'chat', 'Waiting for your answer'],
    ['copilot', 'both', 'Waiting for your answer'],
    ['external', 'chat', inPanel],
  ] as const)('is told where it is given: %s, with questions of agents in %s', (kind, agent, told) =>
    inWindow(
      function* ({ server, workspace }) {
        workspace.replace({ tools: [{ tool: asks }] });
        const endpoint = yield* kind === 'copilot' ? server.forCopilot() : server.forClient('Cursor');
        const client = yield* until(connect(endpoint));
        const heard: unknown[] = [];
        const onprogress = ({ message }: { message?: string | undefined }) => void heard.push(message);
        const call = { name: asks.name, arguments: {} };
        yield* until(client.callTool(call, undefined, { onprogress }));
        expect(heard).toEqual([told]);
        yield* until(client.close());
      },
      { surfaces: { agent } },
    ),
  );
});
