import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyTool, ToolAnnotations } from '#src/core/tool/tool.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { JudgedCall } from '#src/runtime/policy/call-policy.ts';
import { type PolicyRule, readRules } from '#src/runtime/policy/rules.ts';
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  createServerPolicy,
} from '#src/vscode/servers/policy/server-policy.ts';
import { createWords } from '#src/vscode/servers/policy/words.ts';
import { createDisk } from '../mcp/window-kit.ts';

/** What a server says of its tool. */
interface Said {
  readonly server?: string;
  readonly name?: string;
  readonly description?: string;
  readonly claims?: ToolAnnotations;
  readonly reached?: string;
}

/** The tool `push` of the server `git`, or another one. */
function tool({
  server = 'git',
  name = 'push',
  description = 'Pushes.',
  claims = {},
  reached = 'npx git',
}: Said = {}): AnyTool {
  const made = createMcpTool('git__push')
    .description(description)
    .parameters(z.object({ branch: z.string().default('main') }))
    .elicits({})
    .execute(function* () {});
  return { ...made, def: { ...made.def, foreign: { server, tool: name, claims, reached } } };
}

/** A window whose server lists `now`, with these rules, and a person who answers. */
interface Window {
  now: AnyTool | undefined;
  decide(
    tool: AnyTool,
    from?: JudgedCall['from'],
    params?: JudgedCall['params'],
  ): Operation<string | undefined>;
  ask(tool: AnyTool): Operation<boolean>;
  /** What has changed, by each question. */
  readonly asked: ApprovalQuestion[];
}

function inWindow(
  rules: readonly object[],
  test: (window: Window) => Operation<void>,
  answer: (window: Window) => ApprovalAnswer = () => ({ approved: true, params: {}, lasts: 'always' }),
): Promise<void> {
  return run(function* () {
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool: tool(), params: {} });
    const read: readonly PolicyRule[] = readRules(rules, true, (problem) => {
      throw new Error(problem);
    });
    const policy = createServerPolicy({
      rules: () => read,
      words: createWords(createDisk().state),
      listed: () => window.now,
      *ask(_call, question) {
        window.asked.push(question);
        return answer(window);
      },
      t: (text) => text,
    });
    const window: Window = {
      now: tool(),
      asked: [],
      *decide(given, from = 'inside', params = {}) {
        return (yield* policy.decide({ session, tool: given, params, from }))?.verdict;
      },
      *ask(given) {
        return (yield* policy.ask({ session, tool: given, params: {}, from: 'inside' })).approved;
      },
    };
    yield* test(window);
  });
}

describe('a rule', () => {
  it('denies the tool that it names, though its server takes it off its list before the call is judged', () =>
    inWindow([{ server: 'git', tool: 'push', verdict: 'deny' }], function* (window) {
      const held = tool();
      window.now = undefined;
      expect(yield* window.decide(held, 'outside')).toBe('deny');
      window.now = tool({ description: 'Does something else.' });
      expect(yield* window.decide(held, 'outside')).toBe('deny');
    }));

  it('that allows by what a server claims counts what it claims now', () =>
    inWindow([{ server: 'git', annotation: 'readOnlyHint', verdict: 'allow' }], function* (window) {
      const listed = tool({ claims: { readOnlyHint: true } });
      window.now = listed;
      expect(yield* window.decide(listed)).toBe('allow');
      window.now = tool({ claims: { readOnlyHint: false } });
      expect(yield* window.decide(listed)).toBe('ask');
    }));

  it.each(['Push', 'рush', 'push\u200b', 'pusＨ', ' push'])(
    'for ‘push’ is none for %j, which only looks like it',
    (name) =>
      inWindow([{ server: 'git', tool: 'push', verdict: 'allow' }], function* (window) {
        window.now = tool({ name });
        expect(yield* window.decide(tool({ name }))).toBe('ask');
        window.now = tool();
        expect(yield* window.decide(tool())).toBe('allow');
      }),
  );

  it('for one server is none for a tool of another one, whatever that calls its tool', () =>
    inWindow([{ server: 'git', verdict: 'allow' }], function* (window) {
      for (const server of ['evil', 'Git', 'git ', 'gıt']) {
        window.now = tool({ server, name: 'git__push' });
        expect(yield* window.decide(window.now)).toBe('ask');
      }
    }));
});

describe('what a server says of its tool', () => {
  it('is no reason to run it unasked: that it only reads is a claim', () =>
    inWindow([], function* (window) {
      const plain = tool({ claims: { readOnlyHint: true } });
      window.now = { ...plain, def: { ...plain.def, annotations: { readOnlyHint: true } } };
      expect(yield* window.decide(window.now)).toBe('ask');
    }));
});

describe('what the person allowed', () => {
  it('is not allowed while its server does not list it', () =>
    inWindow([], function* (window) {
      expect(yield* window.ask(tool())).toBe(true);
      window.now = undefined;
      expect(yield* window.decide(tool())).toBe('ask');
      window.now = tool();
      expect(yield* window.decide(tool())).toBe('allow');
    }));

  it.each<Said>([
    { description: 'Pushes. By force.' },
    { claims: { readOnlyHint: true } },
    { reached: 'npx something-else' },
    { server: 'other' },
    { name: 'force_push' },
  ])('is not allowed any more once it is %j', (change) =>
    inWindow([], function* (window) {
      expect(yield* window.ask(tool())).toBe(true);
      expect(yield* window.decide(tool())).toBe('allow');
      window.now = tool(change);
      expect(yield* window.decide(tool(change))).toBe('ask');
      // Whoever holds it as it was is no way around that.
      if (!change.server && !change.name) expect(yield* window.decide(tool())).toBe('ask');
    }),
  );

  it('is what they were shown: a tool that changes while they think is shown again, with what has changed', () => {
    let changes = 2;
    return inWindow(
      [],
      function* (window) {
        expect(yield* window.ask(tool())).toBe(true);
        expect(window.asked.map(({ changed }) => changed)).toEqual([
          undefined,
          expect.stringContaining('+ "description": "Pushes to 1.",'),
          expect.stringContaining('+ "description": "Pushes to 0.",'),
        ]);
        expect(yield* window.decide(tool())).toBe('allow');
        window.now = tool({ description: 'Pushes to 1.' });
        expect(yield* window.decide(tool())).toBe('ask');
      },
      (window) => {
        if (changes > 0) window.now = tool({ description: `Pushes to ${--changes}.` });
        return { approved: true, params: {}, lasts: 'window' };
      },
    );
  });
});
