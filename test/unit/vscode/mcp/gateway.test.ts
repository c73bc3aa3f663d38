import { type Operation, until } from 'effection';
import { describe, expect, it } from 'vitest';
import { CallPolicyContext } from '#src/runtime/policy/call-policy.ts';
import { policedTool } from '#src/runtime/policy/policed-tool.ts';
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

  it('has the policy asked once, by the name and as a call within another, about a server’s tool that `run_tool` runs', () =>
    inWindow(
      function* ({ server, registry, workspace, inner }) {
        const judged: string[] = [];
        yield* CallPolicyContext.set({
          *decide({ tool, from }) {
            judged.push(`${tool.name} from ${from}`);
            return { verdict: tool.name.includes('never') ? 'deny' : 'ask', why: 'a test says so' };
          },
          *ask({ tool, params }) {
            judged.push(`asked about ${tool.name}`);
            return { approved: true, params, why: 'you said so' };
          },
        });
        const many = Array.from({ length: 50 }, (_, at) => ({ tool: asking(`report_${at}`) }));
        workspace.replace({ tools: many });
        // What a server says of its effects is in no annotation of ours.
        const tools = ['github__push', 'github__never'].map((name) => {
          const { def, ...tool } = asking(name);
          return { tool: policedTool({ ...tool, def: { ...def, annotations: {} } }) };
        });
        registry.register({ kind: 'server', id: 'server:github', label: 'github' }, { tools });
        const copilot = yield* until(connect(yield* server.forCopilot()));
        const ran = (name: string, args: object) =>
          copilot.callTool({ name, arguments: { ...args } }).then(JSON.stringify);
        expect(yield* until(ran('run_tool', { name: 'github__push' }))).toContain('answered by editor');
        expect(judged).toEqual([
          'github__push from inside',
          'asked about github__push',
          'github__push from inside',
        ]);
        const steps = [{ name: 'github__never' }];
        for (const call of [
          ran('run_tool', steps[0] ?? {}),
          ran('run_chain', { steps }),
          ran('github__never', {}),
        ]) {
          expect(yield* until(call)).not.toContain('answered by editor');
        }
        // Nobody else has asked.
        expect(inner).toEqual([]);
        yield* until(copilot.close());
      },
      { gateway: ['github'] },
    ));

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
