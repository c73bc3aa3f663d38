import { type Operation, run } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { CallRouteContext } from '#src/runtime/policy/call-policy.ts';
import type { RunToolParts } from '#src/vscode/calls/run/run-for-person.ts';
import { createToolPort } from '#src/vscode/calls/run/tool-port.ts';
import { EdgeContext, ExtensionHome } from '#src/vscode/contexts.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  TreeItem: class {},
  window: {},
  workspace: { getConfiguration: () => ({ get: () => undefined }) },
}));

const tool = createMcpTool('delete_repo')
  .description('Deletes it.')
  .parameters(z.object({ repo: z.string() }))
  .elicits({})
  .execute(function* () {});

/** Runs something where `delete_repo` is a server's tool; what comes back is how its call was begun. */
async function begun(work: (parts: RunToolParts) => Operation<unknown>): Promise<unknown> {
  let how: unknown;
  const registry = createToolRegistry();
  registry.register({ kind: 'server', id: 'tracker', label: 'tracker' }).replace({ tools: [{ tool }] });
  const desk = {
    manager: {
      *create() {
        how = yield* CallRouteContext.get();
        throw new Error('as far as it goes');
      },
    },
    *run(request: object) {
      how = request;
      return { end: { type: 'result', value: 'done' } };
    },
  };
  const parts = {
    tools: createToolPort(registry),
    *desk() {
      return desk;
    },
  };
  await run(function* () {
    yield* EdgeContext.set({ fork() {} } as never);
    yield* ExtensionHome.set({ workspaceState: { get: () => undefined, update() {} } } as never);
    yield* work(parts as never);
  }).catch(() => {});
  return how;
}

const params = { repo: 'all' };

describe('a call that a file of the repository may have asked for', () => {
  it('is approved by nobody when it is a task', async () => {
    const { runTask } = await import('#src/vscode/authoring/tasks/run-task.ts');
    const how = await begun((parts) => runTask(parts, { tool: 'delete_repo', params }, () => {}));
    expect(how).toEqual({ kind: 'inside' });
  });

  it.each([
    ['an input of a task', [{ tool: 'delete_repo', params, show: false }], true],
    ['an input that is a name', ['delete_repo'], true],
    ['a program', ['delete_repo', params], false],
  ])('is known when it is made by %s', async (_what, args, written) => {
    const { runByArguments } = await import('#src/vscode/authoring/run/run-tool.ts');
    expect(await begun((parts) => runByArguments(parts, args))).toMatchObject({ written });
  });
});
