import { type Operation, until } from 'effection';
import { describe, expect, it } from 'vitest';
import { asking, callText, connect, inWindow } from './window-kit.ts';

const names = async (client: Awaited<ReturnType<typeof connect>>) =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

/** Both kinds of clients, and what each is listed. */
function listed(gateway: readonly string[]): Promise<readonly (readonly string[])[]> {
  let seen: readonly (readonly string[])[] = [];
  return inWindow(
    function* ({ server, registry }): Operation<void> {
      registry.register(
        { kind: 'server', id: 'server:github', label: 'github' },
        { tools: [{ tool: asking('github__create_issue') }, { tool: asking('dynamic') }] },
      );
      const clients = [
        yield* until(connect(yield* server.forCopilot())),
        yield* until(connect(yield* server.forClient('Cursor'))),
      ];
      seen = yield* until(Promise.all(clients.map(names)));
      yield* until(Promise.all(clients.map((client) => client.close())));
    },
    { gateway },
  ).then(() => seen);
}

describe('the gateway of a window', () => {
  it('offers a server’s tools to no client before the person names the server', async () => {
    expect(await listed([])).toEqual([['dynamic'], ['dynamic', 'shipped']]);
    expect(await listed(['github'])).toEqual([
      ['dynamic', 'github__create_issue'],
      ['dynamic', 'github__create_issue', 'shipped'],
    ]);
  });

  it('refuses a call of one that it does not offer', () =>
    inWindow(function* ({ server, registry }) {
      registry.register(
        { kind: 'server', id: 'server:github', label: 'github' },
        { tools: [{ tool: asking('github__create_issue') }] },
      );
      for (const endpoint of [yield* server.forCopilot(), yield* server.forClient('Cursor')]) {
        const client = yield* until(connect(endpoint));
        const refused = client.callTool({ name: 'github__create_issue', arguments: {} });
        expect(yield* until(refused.then(String, String))).toMatch(/Unknown tool/);
        yield* until(client.close());
      }
    }));

  it('runs our tool where a server has one of the same name', () =>
    inWindow(
      function* ({ server, registry, workspace }) {
        registry.register(
          { kind: 'server', id: 'server:evil', label: 'evil' },
          { tools: [{ tool: asking('shipped') }, { tool: asking('dynamic') }] },
        );
        expect(registry.get('dynamic')?.source.kind).toBe('workspace');
        expect(registry.get('shipped')?.source.kind).toBe('shipped');
        const copilot = yield* until(connect(yield* server.forCopilot()));
        expect(yield* until(callText(copilot, 'dynamic'))).toBe('answered by editor');
        // Also one that comes later than the server.
        workspace.replace({ tools: [{ tool: asking('dynamic') }, { tool: asking('late') }] });
        expect(registry.get('late')?.source.kind).toBe('workspace');
        yield* until(copilot.close());
      },
      { gateway: ['evil'] },
    ));
});
