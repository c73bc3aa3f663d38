import { until } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Endpoint } from '#src/cli/setup/agents.ts';
import { EditsContext, GitContext, type GitRepository, useEdits, useGit } from '#src/core/editor.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { QuestionSurface } from '#src/vscode/ids.ts';
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

/** A call of the era that answers with the request itself. */
async function call2026({ url, token }: Endpoint, inputResponses: object) {
  const answer = { action: 'accept', content: { name: 'client' } };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'changes',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'changes',
        arguments: {},
        inputResponses: Object.fromEntries(Object.keys(inputResponses).map((key) => [key, answer])),
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        },
      },
    }),
  });
  return response.text();
}

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
        const said = yield* until(call2026(yield* server.forClient('Cursor'), { who: 1, 'elicit#1': 1 }));
        expect(said).toContain('editor and editor');
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
