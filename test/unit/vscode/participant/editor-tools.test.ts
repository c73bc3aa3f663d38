import { type Operation, run, spawn, suspend, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import { newConversation } from '#src/chat/state.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { chooseEditorTools, namedTools } from '#src/vscode/agents/participant/editor-tools/choose.ts';
import { type CallEditorTool, editorTools } from '#src/vscode/agents/participant/editor-tools/editor-tool.ts';
import { textOfPrompt } from '#src/vscode/agents/participant/editor-tools/result-blocks.ts';
import { calls, collector, says, scriptedModel } from '../../chat/rig.ts';

const tide = {
  name: 'mcp_sea_tide',
  description: 'Tells the tide.',
  inputSchema: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
};

/** A turn whose model calls the tool of the editor once; what the model was told of it. */
function* turn(call: CallEditorTool, input = { port: 'Lisbon' }, stopped?: Operation<void>) {
  const manager = yield* createSessionManager();
  const model = scriptedModel([[calls('1', tide.name, input)], [says('done')]]);
  const engine = createChatEngine({
    manager,
    model,
    tools: () => editorTools([tide], call, () => {}),
    waiting: { mode: 'stay', capabilities: {}, *open() {} },
  });
  const message = { role: 'user', content: says('hello') } as const;
  const state = yield* engine.turn({ state: newConversation('c'), message }, collector().emit, stopped);
  return JSON.stringify(state.messages.at(2)?.content);
}

describe('a tool that others serve to the editor', () => {
  it('is called by the editor, with what the model gave, and the model gets its result', () =>
    run(function* () {
      const asked: unknown[] = [];
      const told = yield* turn(function* (name, input) {
        asked.push([name, input]);
        return [
          { type: 'text', text: 'ebb' },
          { type: 'data', bytes: new Uint8Array([1]), mimeType: 'image/png' },
          { type: 'data', bytes: new TextEncoder().encode('{"at":5}'), mimeType: 'application/json' },
          { type: 'data', bytes: new Uint8Array(3), mimeType: 'application/zip' },
        ];
      });
      expect(asked).toEqual([[tide.name, { port: 'Lisbon' }]]);
      expect(JSON.parse(told)).toMatchObject([
        {
          content: [
            { type: 'text', text: 'ebb' },
            { type: 'image', data: 'AQ==', mimeType: 'image/png' },
            { type: 'text', text: '{"at":5}' },
            { type: 'text', text: '[3 bytes of application/zip]' },
          ],
        },
      ]);
    }));

  it('is not called with what does not fit its schema', () =>
    run(function* () {
      const told = yield* turn(
        function* () {
          throw new Error('it was called');
        },
        { port: 5 } as never,
      );
      expect(told).toContain('port');
      expect(told).not.toContain('it was called');
    }));

  it('tells the model that the person did not allow it, when the editor says so', () =>
    run(function* () {
      const told = yield* turn(function* () {
        throw Object.assign(new Error('Canceled'), { name: 'Canceled' });
      });
      expect(told).toContain('did not allow');
      expect(told).not.toContain('isError');
    }));

  it('that fails tells the model why', () =>
    run(function* () {
      const told = yield* turn(function* () {
        throw new Error('the sea is far away');
      });
      expect(told).toContain('The tool failed: the sea is far away');
      expect(told).toContain('"isError":true');
    }));

  it('is taken back when the turn is stopped', () =>
    run(function* () {
      const called = withResolvers<void>();
      const takenBack = withResolvers<void>();
      const turning = yield* spawn(() =>
        turn(
          function* () {
            try {
              called.resolve();
              return yield* suspend() as Operation<never>;
            } finally {
              takenBack.resolve();
            }
          },
          { port: 'Lisbon' },
          called.operation,
        ),
      );
      yield* takenBack.operation;
      expect(yield* turning).toContain('Do not run it again unless the user asks');
    }));

  it('is left out when it cannot be a tool, and the others stay', () => {
    const skipped: string[] = [];
    const tools = editorTools(
      [
        { ...tide, name: 'a name with spaces' },
        { ...tide, inputSchema: { type: 'string' } },
        { ...tide, inputSchema: undefined, description: '' },
      ],
      function* () {
        return [];
      },
      (name) => skipped.push(name),
    );
    expect(tools.map(({ name }) => name)).toEqual([tide.name]);
    expect(skipped).toEqual(['a name with spaces', tide.name]);
  });

  it('may answer with a prompt: its text counts', () => {
    const leaf = (text: string, lineBreakBefore = false) => ({ type: 2, text, lineBreakBefore });
    const prompt = {
      node: { type: 1, children: [leaf('high'), { type: 1, children: [leaf('water', true)] }] },
    };
    expect(textOfPrompt(prompt)).toBe('high\nwater');
    expect(textOfPrompt('text')).toBe('');
    let deep: unknown = leaf('unseen');
    for (let at = 0; at < 100_000; at++) deep = { node: deep };
    expect(textOfPrompt(deep)).toBe('');
  });
});

describe('the tools of the editor in a turn', () => {
  const named = (names: readonly string[]) => names.map((name) => ({ name }));
  const choose = (tools: readonly string[], references: Parameters<typeof chooseEditorTools>[1] = []) =>
    chooseEditorTools(named(tools), references, (name) => name === 'ask_user').map(({ name }) => name);

  it('are those of MCP servers, and first those that the person named', () => {
    const tools = ['mcp_sea_tide', 'copilot_readFile', 'weather_now', 'mcp_sea_wind'];
    expect(choose(tools)).toEqual(['mcp_sea_tide', 'mcp_sea_wind']);
    expect(choose(tools, [{ name: 'weather_now', range: [0, 12] }])).toEqual([
      'weather_now',
      'mcp_sea_tide',
      'mcp_sea_wind',
    ]);
  });

  it('are never Parley’s own, which the turn has anyway', () => {
    const tools = ['mcp_parley_book_flight', 'mcp_parley2_book_flight', 'ask_user', 'mcp_parleyvous_speak'];
    expect(choose(tools, [{ name: 'mcp_parley_book_flight', range: [0, 4] }])).toEqual([
      'mcp_parleyvous_speak',
    ]);
  });

  it('are named as the turn has them: Parley’s own without the server that the chat knows them from', () => {
    const has = new Set(['book_flight', 'ask_user', 'mcp_sea_tide']);
    const at = (name: string) => ({ name, range: [0, 4] }) as const;
    const references = [
      at('mcp_parley_book_flight'),
      at('mcp_parley2_book_flight'),
      at('ask_user'),
      at('mcp_sea_tide'),
      at('mcp_gone_tool'),
      { name: 'mcp_parley_ask_user' },
    ];
    expect(namedTools(references, (name) => (has.has(name) ? name : undefined))).toEqual([
      'book_flight',
      'book_flight',
      'ask_user',
      'mcp_sea_tide',
    ]);
  });

  it('are only those that are enabled, where the chat says which', () => {
    expect(choose(['mcp_sea_tide', 'mcp_sea_wind'], [{ name: 'mcp_sea_wind' }])).toEqual(['mcp_sea_wind']);
  });

  it('are forty at most', () => {
    const many = Array.from({ length: 100 }, (_, at) => `mcp_many_${at}`);
    const chosen = choose([...many, 'weather_now'], [{ name: 'weather_now', range: [0, 12] }]);
    expect(chosen).toHaveLength(40);
    expect(chosen[0]).toBe('weather_now');
  });
});
