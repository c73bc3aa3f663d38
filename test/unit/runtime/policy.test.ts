import { type Operation, run, sleep } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import {
  type Approval,
  CallPolicyContext,
  CallRouteContext,
  type JudgedCall,
  type PolicyVerdict,
} from '#src/runtime/policy/call-policy.ts';
import { changedLines } from '#src/runtime/policy/fingerprint.ts';
import { fitsPattern } from '#src/runtime/policy/pattern.ts';
import { policedTool } from '#src/runtime/policy/policed-tool.ts';
import { type PolicyRule, readRules, ruleText, strictest, toolsMissed } from '#src/runtime/policy/rules.ts';
import { rulesPolicy } from '#src/runtime/policy/rules-policy.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import { endOf } from './session-kit.ts';

const ran: unknown[] = [];
const write = policedTool(
  createMcpTool('files__write')
    .description('Writes a file')
    .parameters(z.object({ path: z.string() }))
    .elicits({})
    .execute(function* ({ path }) {
      ran.push(path);
      return path;
    }),
);
const caller = createMcpTool('caller')
  .description('Calls another')
  .parameters(z.object({ approved: z.boolean().default(false) }))
  .elicits({})
  .execute(function* ({ approved }, ctx) {
    const make = () => ctx.call(write, { path: 'a.txt' });
    const made = approved
      ? yield* CallRouteContext.with({ kind: 'approved', toolName: write.name }, make)
      : yield* make();
    return made as string;
  });

interface Seen {
  readonly end: EndEvent | undefined;
  readonly logs: readonly string[];
  readonly proposed: readonly Pick<JudgedCall, 'from' | 'params'>[];
  readonly asked: number;
}

/** Runs a tool under a policy that says this of every call. */
function under(
  tool: AnyTool,
  params: object,
  verdict: PolicyVerdict | ((params: JudgedCall['params']) => PolicyVerdict),
  answer?: Approval,
): Promise<Seen> {
  ran.length = 0;
  return run(function* (): Operation<Seen> {
    const proposed: Pick<JudgedCall, 'from' | 'params'>[] = [];
    let asked = 0;
    yield* CallPolicyContext.set({
      *decide({ from, params: given }) {
        proposed.push({ from, params: given });
        return { verdict: typeof verdict === 'string' ? verdict : verdict(given), why: 'a test says so' };
      },
      *ask() {
        asked++;
        return answer ?? { approved: false, why: 'you said no' };
      },
    });
    const manager = yield* createSessionManager();
    const session = yield* manager.create({ tool, params: { ...params } });
    yield* endOf(session);
    const logs = session.events().flatMap((event) => (event.type === 'log' ? [event.message] : []));
    return { end: session.ended(), logs, proposed, asked };
  });
}

describe('a policy', () => {
  it('hears of a call before the tool’s code, from outside or inside, and its word is in the log', async () => {
    const direct = await under(write, { path: 'x.txt' }, 'allow');
    expect(direct.proposed).toEqual([{ from: 'outside', params: { path: 'x.txt' } }]);
    expect(direct.logs).toEqual(["'files__write' may run: a test says so"]);
    const inner = await under(caller, {}, 'allow');
    expect(inner.proposed).toEqual([{ from: 'inside', params: { path: 'a.txt' } }]);
    expect(inner.end).toMatchObject({ type: 'result', value: 'a.txt' });
  });

  it('denies: nothing runs and nobody is asked, also where the person approved the call before', async () => {
    for (const params of [{}, { approved: true }]) {
      const { end, asked } = await under(caller, params, 'deny');
      expect(end).toMatchObject({ type: 'error', error: { code: 'CALL_DENIED' } });
      expect([ran, asked]).toEqual([[], 0]);
    }
  });

  it('asks, and the tool runs with the parameters as the person left them, which are checked', async () => {
    const edited = await under(caller, {}, 'ask', { approved: true, params: { path: 'b.txt' }, why: 'you' });
    expect(edited.end).toMatchObject({ type: 'result', value: 'b.txt' });
    const wrong = await under(caller, {}, 'ask', { approved: true, params: { path: 7 }, why: 'you' });
    expect(wrong.end).toMatchObject({ type: 'error', error: { code: 'PARAMS_INVALID' } });
    const refused = await under(caller, {}, 'ask');
    expect(refused.end).toMatchObject({ type: 'error', error: { code: 'NOT_APPROVED' } });
    expect(ran).toEqual([]);
  });

  it('denies what the person edited to what a rule forbids', async () => {
    const rule = ({ path }: JudgedCall['params']) => (path === 'secret' ? 'deny' : 'ask');
    const to = (path: string) => ({ approved: true, params: { path }, why: 'you' }) as const;
    const { end, logs } = await under(caller, {}, rule, to('secret'));
    expect(end).toMatchObject({ type: 'error', error: { code: 'CALL_DENIED' } });
    expect(logs.at(-1)).toBe("'files__write' was not run: a test says so");
    expect((await under(caller, {}, rule, to('b.txt'))).end).toMatchObject({ value: 'b.txt' });
    expect(ran).toEqual(['b.txt']);
  });

  it('asks nobody about a call that was approved as a row of a table', async () => {
    const { end, asked } = await under(caller, { approved: true }, 'ask');
    expect(end).toMatchObject({ type: 'result', value: 'a.txt' });
    expect(asked).toBe(0);
  });
});

describe('a tool of ours', () => {
  const began: unknown[] = [];
  const push = createMcpTool('push')
    .description('Pushes')
    .parameters(z.object({ branch: z.string().trim().toLowerCase().default('main') }))
    .durable()
    .elicits({ sure: z.object({ sure: z.boolean() }) })
    .execute(function* ({ branch }, ctx) {
      began.push(branch);
      yield* ctx.elicit.strict('sure', { message: 'Sure?' });
      return branch;
    });
  const byName = createMcpTool('by_name')
    .description('Calls another')
    .parameters(z.object({ branch: z.string() }))
    .elicits({})
    .execute(function* (params, ctx) {
      return (yield* ctx.call('push', params)) as string;
    });
  const denyMain = [{ tool: 'push', arguments: { branch: 'main' }, verdict: 'deny' }] as const;

  /** What a call comes to under rules, as long as it does not wait. */
  const underRules = (rules: readonly PolicyRule[], tool: AnyTool, params: object) =>
    run(function* () {
      began.length = 0;
      yield* CallPolicyContext.set(rulesPolicy(rules));
      yield* ToolDirectoryContext.set((name, given) => given ?? (name === 'push' ? push : undefined));
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool, params });
      yield* sleep(0);
      return { manager, session };
    });

  it.each([
    [push, {}],
    [push, { branch: ' MAIN ' }],
    [byName, { branch: 'main' }],
  ])('is refused by a rule that names it, whoever calls: by what it would get', async (tool, params) => {
    const { session } = await underRules(denyMain, tool, params);
    expect(session.ended()).toMatchObject({ error: { code: 'CALL_DENIED' } });
    expect(began).toEqual([]);
  });

  it.each([
    [denyMain, { branch: 'fix' }],
    [[{ verdict: 'deny' } as const], {}],
    [[{ server: '*', tool: 'push', verdict: 'deny' } as const], {}],
  ])('runs where no rule names it: %j', async (rules, params) => {
    await underRules(rules, push, params);
    expect(began).toHaveLength(1);
  });

  it.each([
    ['asks itself', push, [{ tool: 'push', verdict: 'person' }]],
    ['is called by another', byName, [{ tool: 'push', verdict: 'person' }]],
    ['is one of all', push, [{ verdict: 'person' }]],
  ] as const)('takes no answer of a client’s own where a rule wants a person, when it %s', (_, tool, rules) =>
    run(function* () {
      yield* CallPolicyContext.set(rulesPolicy(rules));
      yield* ToolDirectoryContext.set((name, given) => given ?? (name === 'push' ? push : undefined));
      const session = yield* (yield* createSessionManager()).create({ tool, params: { branch: 'fix' } });
      yield* sleep(0);
      const [ask] = session.openAsks();
      expect(ask).toMatchObject({ kind: 'elicit', person: true });
      const given = { action: 'accept', content: { sure: true }, answeredBy: 'client' } as const;
      yield* session.respond(ask?.id ?? '', given);
      expect(yield* endOf(session)).toMatchObject({ error: { code: 'ELICITATION_CANCELLED' } });
    }),
  );

  it('that is taken up is not judged anew: it was when it began', () =>
    run(function* () {
      began.length = 0;
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: push, params: {} });
      yield* sleep(0);
      const journal = session.journal();
      yield* manager.release(session.id ? { callId: session.id } : { callId: '' });
      yield* CallPolicyContext.set(rulesPolicy(denyMain));
      const again = yield* (yield* createSessionManager()).resume({ tool: push, journal });
      expect(again.ended()).toBeUndefined();
      expect(began).toEqual(['main', 'main']);
    }));
});

describe('rules', () => {
  const push = {
    server: 'git',
    tool: 'push',
    annotations: { readOnlyHint: true },
    params: { branch: 'main' },
  };
  const rules = (written: unknown, own = true) => {
    const problems: string[] = [];
    return { rules: readRules(written, own, (problem) => problems.push(problem)), problems };
  };

  it('fit by server, tool, claimed annotation and argument, and the strictest counts', () => {
    const { rules: all } = rules([
      { server: 'git', verdict: 'allow' },
      { tool: 'pu*', arguments: { branch: 'ma*' }, verdict: 'ask' },
      { annotation: 'destructiveHint', verdict: 'deny' },
    ]);
    expect(strictest(all, push)?.verdict).toBe('ask');
    expect(strictest(all, { ...push, params: { branch: 'fix' } })?.verdict).toBe('allow');
    expect(strictest(all, { ...push, annotations: { destructiveHint: true } })?.verdict).toBe('deny');
    expect(strictest(all, { ...push, server: 'other', tool: 'log' })).toBeUndefined();
  });

  it('of a workspace can only narrow', () => {
    const { rules: some, problems } = rules([{ verdict: 'allow' }, { tool: 'push', verdict: 'deny' }], false);
    expect(some).toEqual([{ tool: 'push', verdict: 'deny' }]);
    expect(problems).toHaveLength(1);
  });

  it.each([
    [{ tol: 'push', verdict: 'deny' }, 'deny'],
    [{ tool: 'push', verdict: 'denied' }, 'deny'],
    [{ tool: 'push', verdic: 'deny' }, 'deny'],
    [{ tool: 'push', arguments: { branch: ['main'] }, verdict: 'deny' }, 'deny'],
    [{ tool: 7, verdict: 'deny' }, 'deny'],
    ['deny', 'deny'],
    [null, 'deny'],
    [{ tol: 'push', verdict: 'ask' }, 'ask'],
    // What they say that can be read is not of this call, or they could only have allowed it.
    [{ server: 'other', tol: 'push', verdict: 'deny' }, undefined],
    [{ tool: 'pull', verdict: 'denied' }, undefined],
    [{ tol: 'push', verdict: 'allow' }, undefined],
  ])('that cannot be read forbid what they may be about, and say so: %j', (written, verdict) => {
    const { rules: some, problems } = rules([written]);
    const rule = strictest(some, push);
    expect(rule?.verdict).toBe(verdict);
    expect(problems).toHaveLength(1);
    if (!rule) return;
    const said = ruleText(rule);
    expect(said).toContain('parley.policy cannot be read');
    expect(said).toContain(JSON.stringify(written));
  });

  it.each([
    [true, true],
    ['true', true],
    [7, 7],
    ['7', 7],
    [null, null],
    ['[1,2]', [1, 2]],
  ])('read values of arguments that are no text: %j fits %j', (written, given) => {
    const { rules: some, problems } = rules([{ arguments: { urgent: written }, verdict: 'deny' }]);
    expect(problems).toEqual([]);
    expect(strictest(some, { ...push, params: { urgent: given } })?.verdict).toBe('deny');
    for (const other of ['no', undefined, 8n])
      expect(strictest(some, { ...push, params: { urgent: other } as never })).toBeUndefined();
  });

  it('about a tool of ours are those that name it', () => {
    const ours = { ...push, server: undefined, named: true };
    const about = (...written: object[]) => strictest(rules(written).rules, ours)?.verdict;
    expect(about({ tool: 'pu*', verdict: 'deny' })).toBe('deny');
    expect(about({ verdict: 'deny' }, { tool: 'push', verdict: 'ask' })).toBe('ask');
    expect(about({ server: '*', tool: 'push', verdict: 'deny' })).toBeUndefined();
    expect(about({ tol: 'push', verdict: 'deny' })).toBe('deny');
  });

  it('say which servers and tools they are about that are not there, as far as that is known', () => {
    const tools = [
      { server: 'git', tool: 'push' },
      { server: undefined, tool: 'plan' },
    ];
    const missed = (servers: readonly string[], ...written: object[]) =>
      toolsMissed(rules(written.map((one) => ({ ...one, verdict: 'deny' }))).rules, tools, servers);
    expect(missed(['git'], { tool: 'pus*' }, { tool: 'plan' }, { server: 'git', tool: 'push' })).toEqual([]);
    expect(missed(['git'], { tool: 'pull' }, { server: 'git', tool: 'plan' })).toEqual(['pull', 'plan']);
    expect(missed(['git', 'away'], { tool: 'pull' }, { server: 'away', tool: 'x' })).toEqual([]);
  });

  it('are not tried in every way: that would take years', () => {
    expect(fitsPattern('*a'.repeat(200), 'a'.repeat(20_000).concat('b'))).toBe(false);
    expect([
      fitsPattern('', ''),
      fitsPattern('a*c', 'abbc'),
      fitsPattern('*', ''),
      fitsPattern('a', 'b'),
    ]).toEqual([true, true, true, false]);
  });
});

it('says what changed in a description, line by line and bounded', () => {
  expect(changedLines('one\ntwo', 'one\nthree')).toBe('- two\n+ three');
  expect(changedLines('', Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'))).toContain(
    'more lines',
  );
});
