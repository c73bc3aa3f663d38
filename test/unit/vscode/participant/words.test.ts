import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '#src/chat/events.ts';
import { newConversation } from '#src/chat/state.ts';
import type { Message } from '#src/core/index.ts';
import { askUser } from '#src/tools/ask-user/tool.ts';
import { parseRunCommand } from '#src/vscode/agents/participant/commands/run-command.ts';
import { toolsMarkdown } from '#src/vscode/agents/participant/lists.ts';
import { promptOf } from '#src/vscode/agents/participant/prompt.ts';
import { nothingShown, type Shown, showEvent } from '#src/vscode/agents/participant/show-event.ts';
import { buttonText, fenced, plainText } from '#src/vscode/calls/escaped-markdown.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';

const t = (message: string, ...values: string[]) =>
  message.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '');

describe('/run', () => {
  it.each([
    ['', { tool: '' }],
    ['book_flight', { tool: 'book_flight' }],
    ['  #book_flight  ', { tool: 'book_flight' }],
    ['book_flight {"from":"AMS"}', { tool: 'book_flight', params: { from: 'AMS' } }],
    ['book_flight to Lisbon\ntomorrow', { tool: 'book_flight', wish: 'to Lisbon\ntomorrow' }],
    ['book_flight [1]', { tool: 'book_flight', wish: '[1]' }],
    ['book_flight {"from":', { tool: 'book_flight', wish: '{"from":' }],
  ])('reads %j', (prompt, expected) => {
    expect(parseRunCommand(prompt)).toEqual(expected);
  });
});

describe('/tools', () => {
  it('lists by source, and lets no text become Markdown', () => {
    const registry = createToolRegistry();
    registry.register({ kind: 'shipped', id: 'p', label: 'Par<b>ley' }, { tools: [{ tool: askUser }] });
    const text = toolsMarkdown(registry.list(), t);
    expect(text).toContain('**Par\\<b\\>ley**');
    expect(text).toContain('- `ask_user` Ask the User: ');
    expect(toolsMarkdown([], t)).toBe('There are no tools.');
    for (const [text, plain] of [
      ['www.evil.example/x', 'www\\.evil.example/x'],
      ['WWW.evil.example', 'WWW\\.evil.example'],
      ['bob@evil.example', 'bob\\@evil.example'],
      ['xmpp:bob@evil.example', 'xmpp:bob\\@evil.example'],
    ] as const) {
      expect(plainText(text)).toBe(plain);
      expect(marked.parse(plain)).toBe(`<p>${text}</p>\n`);
    }
    expect(buttonText('$(check) Run $5')).toBe('$ (check) Run $5');
    expect(plainText('[x](command:y)')).toBe('\\[x\\]\\(command:y\\)');
  });
});

describe('what the model is told', () => {
  it('is what the person said, attached and named', () => {
    const message = promptOf('Set it up', [{ name: 'a.ts', text: 'let a' }], ['ask_user']);
    expect(message).toEqual({
      role: 'user',
      content: {
        type: 'text',
        text: 'Set it up\n\nAttached by the user, a.ts:\nlet a\n\nThe user wants you to use: ask_user.',
      },
    });
  });
});

describe('an attachment', () => {
  it('that is too long says so', () => {
    const { content } = promptOf('Read', [{ name: 'a.ts', text: 'x'.repeat(25_000) }], []);
    expect(content).toMatchObject({
      text: expect.stringMatching(/x{20000}\n\[Cut: 5000 of 25000 characters are left out\.\]$/),
    });
  });
});

describe('an event of a turn', () => {
  const shown = (event: ChatEvent, before: Shown = nothingShown(), now = () => 0) => {
    const said: [kind: string, value: unknown][] = [];
    const say = (kind: string) => (value: unknown) => void said.push([kind, value]);
    const stream = { markdown: say('markdown'), progress: say('progress') };
    showEvent(stream, event, {
      t,
      titleOf: (name) => name.toUpperCase(),
      shown: before,
      now,
      links: say('links'),
    });
    return said;
  };
  const asked = (callId: string, toolName = 'x'): ChatEvent => ({
    type: 'plugin_elicit_request',
    sessionId: callId,
    callId,
    toolName,
    elicitId: 'elicit-1',
    key: 'q',
    message: 'Which?',
    schema: { type: 'object', properties: {} },
  });

  it('shows text, calls and progress', () => {
    expect(shown({ type: 'text', text: 'hi' })).toEqual([['markdown', 'hi']]);
    expect(shown({ type: 'tool_call', callId: 'c', toolName: 'x', input: {} })).toEqual([
      ['progress', 'Running X'],
    ]);
    expect(shown({ type: 'tool_progress', callId: 'c', message: 'half' })).toEqual([['progress', 'half']]);
  });

  it('says that the model gave no answer', () => {
    const message: Message = { role: 'assistant', content: { type: 'text', text: '(no answer)' } };
    const state = newConversation('c', [message]);
    expect(shown({ type: 'turn_end', reason: 'complete', state })).toEqual([
      ['markdown', 'The model returned no answer. Ask again, or choose another model.'],
    ]);
    const answered = newConversation('c', [{ ...message, content: { type: 'text', text: 'Yes' } }]);
    expect(shown({ type: 'turn_end', reason: 'complete', state: answered })).toEqual([]);
  });

  it('shows an open question with a link that leads to its panel', () => {
    expect(shown(asked('c'))).toEqual([
      ['progress', '“X” is waiting for your answer.'],
      ['links', [{ command: 'parley.revealCall', title: 'Show X', arguments: ['c'] }]],
    ]);
  });

  it('has one link for all questions of a call, and no two with one name', () => {
    const before = nothingShown();
    const links = [asked('c'), asked('c'), asked('d'), asked('e', 'y')].flatMap((event) =>
      shown(event, before).flatMap(([kind, value]) =>
        kind === 'links' ? (value as { title: string }[]).map(({ title }) => title) : [],
      ),
    );
    expect(links).toEqual(['Show X', 'Show X (2)', 'Show Y']);
  });

  it('shows a line of progress now and then: the chat keeps them all', () => {
    const before = nothingShown();
    const lines = Array.from({ length: 100 }, (_, step) =>
      shown({ type: 'tool_progress', callId: 'c', message: `step ${step}` }, before, () => step * 1000),
    ).flat();
    expect(lines.map(([, line]) => line)).toEqual(Array.from({ length: 10 }, (_, at) => `step ${at * 10}`));
    const other = shown({ type: 'tool_progress', callId: 'd', message: 'mine' }, before, () => 99_000);
    expect(other).toHaveLength(1);
  });

  it('lets nothing that a tool says become Markdown', () => {
    const evil = '![x](https://evil.example/p.png) [y](command:z) <img src=x> # h';
    for (const event of [
      { type: 'tool_call', callId: 'c', toolName: evil, input: {} },
      { type: 'tool_progress', callId: 'c', message: evil },
      { ...asked('c'), toolName: evil },
      {
        type: 'plugin_session_error',
        sessionId: 'c',
        callId: 'c',
        toolName: evil,
        error: 'INTERNAL_ERROR',
        message: evil,
      },
    ] as const) {
      const texts = shown(event).filter(([kind]) => kind !== 'links');
      for (const [, text] of texts) expect(String(text).replace('> ', '')).not.toMatch(/(?<!\\)[[\]()<>!#]/);
    }
    expect(fenced('a\n```\n# b')).toBe('````\na\n```\n# b\n````');
  });

  it('says that a call was lost', () => {
    const event: ChatEvent = {
      type: 'plugin_session_error',
      sessionId: 'c',
      callId: 'c',
      toolName: 'x',
      error: 'SESSION_NOT_FOUND',
      message: 'The call is lost.',
    };
    expect(shown(event)).toEqual([['markdown', expect.stringContaining('X: The call is lost.')]]);
  });
});
