import { type Operation, run, scoped, suspend, withResolvers } from 'effection';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { type AnyTool, createMcpTool } from '#src/core/index.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { type Place, source, useRemoteKit } from './remote-kit.ts';

const halted: string[] = [];

const count = createMcpTool('count')
  .description('Asks, and counts')
  .parameters(z.object({ of: z.string() }))
  .elicits({ most: z.object({ most: z.int() }) })
  .execute(function* ({ of }, ctx) {
    try {
      const { most } = yield* ctx.elicit.strict('most', { message: `How many ${of}?` });
      return { of, most };
    } finally {
      halted.push(of);
    }
  });

const code = `
  const errors = [];
  const attempt = function* (run) { try { return yield* run(); } catch (error) { errors.push([error.code, error.message]); } };
  const counted = yield* ctx.call('things/count', { of: 'issues' });
  yield* attempt(() => ctx.call('things/count', { of: 7 }));
  yield* attempt(() => ctx.call('nobody/nothing'));
  yield* attempt(() => ctx.call('things/count', { of: 10n }));
  yield* attempt(() => ctx.branch((branch) => branch.call('things/count', { of: 'branches' })));
  yield* race([ctx.call('things/count', { of: 'halted' }), ctx.call('things/asked')]);
  return { counted, errors };`;

function* outcome(place: Place): Operation<unknown> {
  const kit = yield* useRemoteKit(place);
  const shown = withResolvers<void>();
  const asked = createMcpTool('asked')
    .description('Waits until a question is shown')
    .parameters(z.object({}))
    .elicits({})
    .execute(() => shown.operation);
  const tools: Record<string, AnyTool> = { 'things/count': count, 'things/asked': asked };
  yield* ToolDirectoryContext.set((name, given) => given ?? tools[name]);
  const manager = yield* createSessionManager();
  const session: Session = yield* manager.create({ tool: yield* kit.tool(source(code)), params: {} });
  const paths: unknown[] = [];
  const client = createMockMcpClient({});
  const end = yield* drive(
    session,
    {
      ...client,
      *elicit(...[ask]: Parameters<NonNullable<typeof client.elicit>>) {
        paths.push([ask.path, ask.ref.toolName, ask.request.message]);
        if (ask.request.message.includes('halted')) {
          shown.resolve();
          yield* suspend();
        }
        return { action: 'accept' as const, content: { most: 3 } };
      },
    },
    'end',
  );
  return {
    end: { type: end.type, value: end.type === 'result' ? end.value : end },
    paths,
    halted: halted.splice(0),
  };
}

it('a tool calls others by name, wherever its code runs: checked, asked, failing and halted alike', async () => {
  const all: unknown[] = [];
  for (const place of ['host', 'linked', 'worker'] as const)
    all.push(await run(() => scoped(() => outcome(place))));
  const [here, linked, worker] = all;
  expect(here).toMatchObject({
    end: {
      type: 'result',
      value: {
        counted: { of: 'issues', most: 3 },
        errors: [
          ['PARAMS_INVALID', expect.stringContaining('of')],
          ['TOOL_NOT_FOUND', expect.stringContaining('nobody/nothing')],
          ['PARAMS_INVALID', expect.anything()],
          ['ELICITATION_IN_BRANCH', expect.anything()],
        ],
      },
    },
    paths: [
      [['count'], 'count', 'How many issues?'],
      [['count'], 'count', 'How many halted?'],
    ],
    halted: ['issues', 'branches', 'halted'],
  });
  expect(strip(linked)).toEqual(strip(here));
  expect(strip(worker)).toEqual(strip(here));
});

/** What is not JSON is refused in another place, with other words. */
function strip(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"PARAMS_INVALID","(?:[^"\\]|\\.)*"/g, '"PARAMS_INVALID"'));
}
