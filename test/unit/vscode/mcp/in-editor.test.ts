import { until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EditsContext, GitContext, type GitRepository, useEdits, useGit } from '#src/core/editor.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { QuestionSurface } from '#src/vscode/ids.ts';
import { accept, ask, envelope } from '#test/mcp/kit/wire.ts';
import { callText, connect, inWindow } from './window-kit.ts';

const changes = createMcpTool('changes')
  .description('Changes something, once the person has said so.')
  .parameters(z.object({}))
  .requires({ elicitation: true, editor: true })
  .elicits({ who: z.object({ name: z.string() }) })
  .execute(function* (_, ctx) {
    const { name } = yield* ctx.elicit.strict('who', { message: 'Who?' });
    const inline = yield* ctx.elicit({ message: 'Sure?', schema: z.object({ name: z.string() }) });
    const edits = yield* useEdits();
    yield* edits.apply('x', []);
    return `${name} and ${inline.action === 'accept' ? inline.content.name : 'nobody'}`;
  });

it('a call runs the tool as it stands on disk at that moment, and says when it is not there', () => {
  let disk: AnyTool | undefined = createMcpTool('dynamic')
    .description('As it was written a moment ago.')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 'new';
    });
  let put = (_tool: AnyTool) => {};
  return inWindow(
    function* ({ server, workspace }) {
      put = (tool) => workspace.replace({ tools: [{ tool }] });
      const client = yield* until(connect(yield* server.forCopilot()));
      expect(yield* until(callText(client, 'dynamic'))).toBe('new');
      disk = undefined;
      expect(yield* until(callText(client, 'dynamic'))).toContain('it is gone');
      yield* until(client.close());
    },
    {
      *catchUp() {
        if (!disk) throw new Error('it is gone');
        put(disk);
        return undefined;
      },
    },
  );
});

const applied: string[] = [];
const editor = {
  *folders() {
    return [];
  },
  *read() {
    return 'text';
  },
  *preview() {},
  *apply(label: string) {
    applied.push(label);
    return true;
  },
};

describe('a tool that changes something in the editor', () => {
  it.each<[QuestionSurface]>([['auto'], ['client'], ['editor']])(
    'is answered in the window, whatever an outside client can do and the setting says (%s)',
    (elicitation) =>
      inWindow(
        function* ({ server, workspace }) {
          workspace.replace({ tools: [{ tool: changes }] });
          const client = yield* until(connect(yield* server.forClient('Cursor'), 'client', 'client'));
          expect(yield* until(callText(client, 'changes'))).toBe('editor and editor');
          yield* until(client.close());
        },
        { surfaces: { elicitation }, abilities: () => EditsContext.set(editor) },
      ),
  );

  it('takes no answer that a client sends along before it was asked', () =>
    inWindow(
      function* ({ server, workspace }) {
        workspace.replace({ tools: [{ tool: changes }] });
        const { url, token } = yield* server.forClient('Cursor');
        const early = accept({ name: 'client' });
        const call = {
          ...{ name: 'changes', arguments: {}, inputResponses: { who: early, 'elicit#1': early } },
          _meta: envelope({ elicitation: { form: {} } }),
        };
        const authorization = `Bearer ${token}`;
        const { result } = yield* until(ask(new URL(url), 'tools/call', call, { authorization }));
        expect(result.content[0].text).toContain('editor and editor');
      },
      { abilities: () => EditsContext.set(editor) },
    ));
});

describe('a tool that does not say that it changes something', () => {
  const sneaky = createMcpTool('sneaky')
    .description('Changes files and git.')
    .parameters(z.object({ how: z.string() }))
    .elicits({})
    .execute(function* ({ how }) {
      const edits = yield* useEdits();
      const [repository] = yield* (yield* useGit()).repositories();
      if (how === 'look') return [yield* edits.read('x'), yield* repository?.changes() ?? none()];
      if (how === 'apply') return yield* edits.apply('sneaky', []);
      if (how === 'stage') yield* repository?.stage(['x']) ?? none();
      return yield* repository?.commit('x') ?? none();
    });
  const did: string[] = [];
  const repository: GitRepository = {
    root: 'file:///x',
    *branch() {
      return 'main';
    },
    *head() {
      return 'hash';
    },
    *changes() {
      return [];
    },
    *diff() {
      return '';
    },
    *stage() {
      did.push('stage');
    },
    *unstage() {
      did.push('unstage');
    },
    *commit() {
      did.push('commit');
      return 'hash';
    },
  };

  it.each(['apply', 'stage', 'commit'])('cannot %s for an outside client, and is told what to add', (how) =>
    inWindow(
      function* ({ server, workspace }) {
        workspace.replace({ tools: [{ tool: sneaky }] });
        const client = yield* until(connect(yield* server.forClient('Cursor')));
        const { isError, content } = yield* until(client.callTool({ name: 'sneaky', arguments: { how } }));
        expect(isError).toBe(true);
        expect(JSON.stringify(content)).toContain('.requires({ editor: true })');
        expect([...did, ...applied.filter((label) => label === 'sneaky')]).toEqual([]);
        const looked = yield* until(client.callTool({ name: 'sneaky', arguments: { how: 'look' } }));
        expect(looked.isError).not.toBe(true);
        yield* until(client.close());
      },
      {
        *abilities() {
          yield* EditsContext.set(editor);
          yield* GitContext.set({
            *repositories() {
              return [repository];
            },
          });
        },
      },
    ),
  );
});

function* none() {
  return undefined;
}
