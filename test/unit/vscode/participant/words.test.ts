import { describe, expect, it } from 'vitest';
import type { ChatEvent } from '../../../../src/chat/events.ts';
import { askUser } from '../../../../src/tools/ask-user/tool.ts';
import { plainText, toolsMarkdown } from '../../../../src/vscode/participant/lists.ts';
import { messageOf } from '../../../../src/vscode/participant/prompt.ts';
import { parseRunCommand } from '../../../../src/vscode/participant/run-command.ts';
import { showEvent } from '../../../../src/vscode/participant/show-event.ts';
import { createToolRegistry } from '../../../../src/workspace/registry/registry.ts';

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
    expect(plainText('[x](command:y)')).toBe('\\[x\\]\\(command:y\\)');
  });
});

describe('what the model is told', () => {
  it('is what the person said, attached and named', () => {
    const message = messageOf('Set it up', [{ name: 'a.ts', text: 'let a' }], ['ask_user']);
    expect(message).toEqual({
      role: 'user',
      content: {
        type: 'text',
        text: 'Set it up\n\nAttached by the user, a.ts:\nlet a\n\nThe user wants you to use: ask_user.',
      },
    });
  });
});

describe('an event of a turn', () => {
  const shown = (event: ChatEvent, offered = new Set<string>()) => {
    const said: [kind: string, value: unknown][] = [];
    const say = (kind: string) => (value: unknown) => void said.push([kind, value]);
    const stream = { markdown: say('markdown'), progress: say('progress'), button: say('button') };
    showEvent(stream, event, { t, titleOf: (name) => name.toUpperCase(), offered });
    return said;
  };

  it('shows text, calls and progress', () => {
    expect(shown({ type: 'text', text: 'hi' })).toEqual([['markdown', 'hi']]);
    expect(shown({ type: 'tool_call', callId: 'c', toolName: 'x', input: {} })).toEqual([
      ['progress', 'Running X'],
    ]);
    expect(shown({ type: 'tool_progress', callId: 'c', message: 'half' })).toEqual([['progress', 'half']]);
  });

  it('shows an open question with a button that leads to its panel', () => {
    const event = { type: 'plugin_awaiting', callId: 'c', toolName: 'x', question: {} } as ChatEvent;
    expect(shown(event)).toEqual([
      ['progress', 'X waits for your answer'],
      ['button', { command: 'parley.revealCall', title: 'Show the Question', arguments: ['c'] }],
    ]);
  });

  it('has one button for all questions of a call, which are in one panel', () => {
    const offered = new Set<string>();
    const ask = (callId: string) =>
      shown({ type: 'plugin_awaiting', callId, toolName: 'x', question: {} } as ChatEvent, offered).map(
        ([kind]) => kind,
      );
    expect([ask('c'), ask('c'), ask('d')]).toEqual([
      ['progress', 'button'],
      ['progress'],
      ['progress', 'button'],
    ]);
  });

  it('says that a call was lost', () => {
    const event: ChatEvent = {
      type: 'plugin_session_error',
      callId: 'c',
      toolName: 'x',
      code: 'SESSION_NOT_FOUND',
      message: 'The call is lost.',
    };
    expect(shown(event)).toEqual([['markdown', expect.stringContaining('X: The call is lost.')]]);
  });
});
