import { type Operation, run, scoped, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { oneLine } from '#src/code/approval/arguments-text.ts';
import type { ApprovalRow } from '#src/code/approval/questions.ts';
import { createExecuteCode } from '#src/code/execute-code.ts';
import { type AnyTool, createMcpTool } from '#src/core/index.ts';
import { makePlugin } from '#src/core/plugin/make-plugin.ts';
import { type CallPolicy, CallPolicyContext } from '#src/runtime/policy/call-policy.ts';
import { policedTool } from '#src/runtime/policy/policed-tool.ts';
import { rulesPolicy } from '#src/runtime/policy/rules-policy.ts';
import { EVERYTHING } from '#src/runtime/session/capabilities.ts';
import {
  createMockMcpClient,
  type MockElicitRequest,
  type MockElicitResponse,
  type MockMcpClientOptions,
  runMcpTool,
} from '#src/testing/index.ts';
import { sharedEngine } from './code-kit.ts';

const engine = sharedEngine();

const { editor: _editor, ...FORMS } = EVERYTHING;
const NOBODY = { sampling: { tools: true } };

function world() {
  const written: unknown[] = [];
  const halted: string[] = [];
  const write = createMcpTool('write')
    .description('Writes')
    .parameters(z.object({ file: z.string(), size: z.int().default(1) }))
    .elicits({})
    .execute(function* ({ file, size }) {
      written.push([file, size]);
      return { file };
    });
  const read = createMcpTool('read')
    .description('Reads')
    .parameters(z.object({ file: z.string() }))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* ({ file }) {
      if (file === 'gone') throw new Error('no such file');
      return { text: `of ${file}` };
    });
  const ask = createMcpTool('ask')
    .description('Asks')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true })
    .elicits({ name: z.object({ name: z.string() }) })
    .execute(function* (_, ctx) {
      return (yield* ctx.elicit.strict('name', { message: 'Who?' })).name;
    });
  const endless = createMcpTool('endless')
    .description('Never ends')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {
      try {
        yield* suspend();
      } finally {
        halted.push('endless');
      }
    });
  const blocks = createMcpTool('blocks')
    .description('Answers with blocks')
    .parameters(z.object({ structured: z.boolean().default(false) }))
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* ({ structured }) {
      const content = [{ type: 'text', text: 'plain' }];
      return structured ? { content, structuredContent: { rows: 2 } } : { content };
    });
  const tools = new Map<string, AnyTool>(
    [write, read, ask, endless, blocks].map((tool) => [tool.name, tool]),
  );
  return { written, halted, tools };
}

type World = ReturnType<typeof world>;

interface Report {
  readonly status: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly output?: string;
  readonly calls?: readonly Record<string, unknown>[];
}

/** Runs code to its end, and gives the report as the model gets it. */
function runCode(code: string, { tools }: World, options: MockMcpClientOptions = {}, policy?: CallPolicy) {
  return run(() =>
    scoped(function* (): Operation<Report> {
      const plugin = createExecuteCode({
        tools,
        *engine() {
          return engine();
        },
      });
      if (policy) yield* CallPolicyContext.set(policy);
      const given = yield* runMcpTool(plugin, { code }, createMockMcpClient(options));
      const result = given as Report & { structuredContent?: Report };
      return result.structuredContent ?? result;
    }),
  );
}

/** Answers tables, and keeps what they showed. */
function person(answer: (rows: readonly ApprovalRow[], request: MockElicitRequest) => MockElicitResponse) {
  const tables: (readonly ApprovalRow[])[] = [];
  const offered: unknown[] = [];
  const elicitResponses = (request: MockElicitRequest) => {
    const { rows = [], offerRest } = request.context as { rows?: ApprovalRow[]; offerRest?: number };
    tables.push(rows);
    offered.push(offerRest);
    return answer(rows, request);
  };
  return { tables, offered, options: { elicitResponses } };
}

const all = (rows: readonly ApprovalRow[]) => rows.map(({ id }) => id);
const accept = (content: object) => ({ action: 'accept', content }) as const;
const FORTY = `Array.from({ length: 40 }, (_, i) => i)`;

describe('execute_code', () => {
  it('reads at once, without asking anybody, and gives the result, the output and the calls', async () => {
    const code = `
      const files: string[] = ['a', 'b', 'gone'];
      const read = await Promise.all(files.map(async (file) => {
        try { return (await tools.read({ file })).text } catch (error) { return error.message }
      }));
      console.log('read', read.length);
      return read;`;
    expect(await runCode(code, world(), { capabilities: NOBODY })).toEqual({
      status: 'done',
      result: ['of a', 'of b', 'no such file'],
      output: 'read 3',
      calls: [
        { tool: 'read', outcome: 'ran' },
        { tool: 'read', outcome: 'ran' },
        { tool: 'read', outcome: 'failed', message: 'no such file' },
      ],
    });
  });

  it('shows 40 writes at once as one table of 40 rows; what is unticked throws, what is edited runs as edited', async () => {
    const there = world();
    const { tables, options } = person((rows) => {
      const run = all(rows).filter((_, at) => ![3, 4, 5].includes(at));
      const edits = JSON.stringify({
        [all(rows)[0] ?? '']: { file: 'edited' },
        [all(rows)[1] ?? '']: { file: 'f1', size: 7 },
      });
      return accept({ run, edits });
    });
    const code = `
      const done = await Promise.allSettled(${FORTY}.map((i) => tools.write({ file: 'f' + i })));
      return done.map((one) => one.status === 'fulfilled' ? one.value.file : one.reason.name);`;
    const report = await runCode(code, there, options);
    expect(tables).toHaveLength(1);
    expect(tables[0]).toHaveLength(40);
    expect(tables[0]?.[0]).toMatchObject({ tool: 'write', arguments: '{\n  "file": "f0"\n}', ticked: true });
    expect(there.written).toHaveLength(37);
    expect(there.written.slice(0, 4)).toEqual([
      ['edited', 1],
      ['f1', 7],
      ['f2', 1],
      ['f6', 1],
    ]);
    expect((report.result as string[]).slice(0, 7)).toEqual([
      'edited',
      'f1',
      'f2',
      'ToolNotApprovedError',
      'ToolNotApprovedError',
      'ToolNotApprovedError',
      'f6',
    ]);
    expect(report.calls?.slice(0, 4)).toEqual([
      { tool: 'write', outcome: 'ran', edited: { file: 'edited' } },
      { tool: 'write', outcome: 'ran', edited: { file: 'f1', size: 7 } },
      { tool: 'write', outcome: 'ran' },
      { tool: 'write', outcome: 'refused' },
    ]);
  });

  it('asks a loop that waits for each of 40 writes twice at most: and the rest like this', async () => {
    const there = world();
    const { tables, offered, options } = person((rows, { context }) =>
      accept({ run: all(rows), ...((context as { offerRest?: number }).offerRest ? { rest: 38 } : {}) }),
    );
    const loop = (times: number) =>
      `for (let i = 0; i < ${times}; i++) await tools.write({ file: 'f' + i }); return 'done'`;
    expect(await runCode(loop(40), there, options)).toMatchObject({ status: 'done', result: 'done' });
    expect(tables.map((rows) => rows.length)).toEqual([1, 1]);
    expect(offered).toEqual([undefined, 100]);
    expect(there.written).toHaveLength(40);
    // What was let go on is counted: one more is asked about again.
    tables.length = 0;
    await runCode(loop(41), there, options);
    expect(tables).toHaveLength(3);
  });

  it('waits with the table until what reads is done, so that it shows what comes of that, too', async () => {
    const there = world();
    const { tables, options } = person((rows) => accept({ run: all(rows) }));
    const code = `
      await Promise.all([
        tools.write({ file: 'first' }),
        ...['a', 'b'].map(async (file) => tools.write({ file: (await tools.read({ file })).text })),
      ]);`;
    expect(await runCode(code, there, options)).toMatchObject({ status: 'done' });
    expect(tables.map((rows) => rows.map((row) => JSON.parse(row.arguments).file))).toEqual([
      ['first', 'of a', 'of b'],
    ]);
  });

  it('asks again for arguments that were edited to what does not fit, and keeps what else was said', async () => {
    const there = world();
    let times = 0;
    const { tables, options } = person((rows) => {
      const [first = '', second = ''] = all(rows);
      return accept({
        run: [first],
        edits: JSON.stringify({ [first]: times++ ? { file: 'right' } : { file: 7 }, [second]: {} }),
      });
    });
    await runCode(
      `await Promise.allSettled(['a', 'b'].map((file) => tools.write({ file })))`,
      there,
      options,
    );
    expect(tables).toHaveLength(2);
    expect(tables[1]).toMatchObject([
      { arguments: '{\n  "file": 7\n}', ticked: true, problem: expect.stringContaining('file') },
      { ticked: false },
    ]);
    expect(there.written).toEqual([['right', 1]]);
  });

  it('shows what cannot be seen in the arguments of a call, and runs it as it is', async () => {
    const there = world();
    const { tables, options } = person((rows) => accept({ run: all(rows) }));
    const file = 'a\u202etxt.exe\u200b\u{e0041}';
    await runCode(`await tools.write({ file: ${JSON.stringify(file)} })`, there, options);
    const shown = tables[0]?.[0]?.arguments ?? '';
    expect(shown).toContain('"a\\u202etxt.exe\\u200b\\udb40\\udc41"');
    expect(JSON.parse(shown)).toEqual({ file });
    expect(oneLine(shown)).toBe('file: "a\\u202etxt.exe\\u200b\\udb40\\udc41"');
    expect(there.written).toEqual([[file, 1]]);
  });

  it('names the server of a tool in the table and in the form, for a server may call its tool what another is called', async () => {
    const there = world();
    const { def, ...write } = there.tools.get('write') as AnyTool;
    const foreign = { server: 'evil', tool: 'x', claims: {}, reached: '' };
    there.tools.set('write', { ...write, def: { ...def, title: 'Read File', foreign } });
    const { tables, options } = person((rows) => accept({ run: all(rows) }));
    const code = `await tools.write({ file: 'a' })`;
    await runCode(code, there, options);
    expect(tables[0]?.[0]?.title).toBe('evil: Read File');
    const messages: string[] = [];
    const elicitResponses = (request: MockElicitRequest) => {
      messages.push(JSON.stringify(request));
      return { action: 'decline' } as const;
    };
    await runCode(code, there, { capabilities: FORMS, elicitResponses });
    expect(messages[0]?.match(/evil: Read File/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('runs nothing that was unticked, though the code gives its calls the same number', async () => {
    const there = world();
    const { options } = person((rows) => accept({ run: all(rows).slice(0, 1) }));
    const code = `
      Array.prototype.toJSON = function () { return [1, this[1], this[2]] };
      await Promise.allSettled([tools.write({ file: 'harmless' }), tools.write({ file: 'harmful' })]);`;
    await runCode(code, there, options);
    expect(there.written).toEqual([['harmless', 1]]);
  });

  it('bothers nobody with calls that cannot run: unknown tools, and arguments that do not fit', async () => {
    const there = world();
    const { tables, options } = person((rows) => accept({ run: all(rows) }));
    const code = `
      const errors = [];
      for (const make of [() => tools.nothing({}), () => tools.write({ file: 1 }), () => tools.write(JSON.parse('{"file":"x","a":{"__proto__":{}}}'))])
        try { await make() } catch (error) { errors.push([error.code, error.message]) }
      return errors;`;
    expect((await runCode(code, there, options)).result).toEqual([
      ['TOOL_NOT_FOUND', expect.stringContaining('nothing')],
      ['PARAMS_INVALID', expect.stringContaining('file')],
      ['PARAMS_INVALID', expect.stringContaining('__proto__')],
    ]);
    expect(tables).toEqual([]);
    expect(there.written).toEqual([]);
  });

  it('refuses every write where nobody can be asked, and reads on', async () => {
    const there = world();
    const code = `try { await tools.write({ file: 'a' }) } catch (error) { return [error.message, await tools.read({ file: 'b' })] }`;
    const report = await runCode(code, there, { capabilities: NOBODY });
    expect(report.result).toEqual([expect.stringContaining('No user is available'), { text: 'of b' }]);
    expect(there.written).toEqual([]);
  });

  it('keeps the policy: what it allows runs unasked, what it denies never, and a table is asked about once', async () => {
    const there = world();
    const write = there.tools.get('write') as AnyTool;
    there.tools.set('write', policedTool(write));
    const { tables, options } = person((rows) => accept({ run: all(rows) }));
    const seen: string[] = [];
    const policy: CallPolicy = {
      *decide({ params, from }) {
        const file = String(params.file);
        seen.push(`${from} ${file}`);
        const verdict = file === 'fine' ? 'allow' : file === 'never' ? 'deny' : 'ask';
        return { verdict, why: 'a rule says so' };
      },
      *ask() {
        throw new Error('the table has asked');
      },
    };
    const code = `
      const done = await Promise.allSettled(['fine', 'never', 'maybe'].map((file) => tools.write({ file })));
      return done.map((one) => one.value?.file ?? one.reason.code);`;
    const report = await runCode(code, there, options, policy);
    expect(report.result).toEqual(['fine', 'CALL_DENIED', 'maybe']);
    expect(tables.map((rows) => rows.map((row) => JSON.parse(row.arguments).file))).toEqual([['maybe']]);
    expect(new Set(seen)).toEqual(new Set(['inside fine', 'inside never', 'inside maybe']));
  });

  it('asks in the panel, too, about a tool that became another one while the table was shown, or after the rest was let go on', async () => {
    const there = world();
    there.tools.set('write', policedTool(there.tools.get('write') as AnyTool));
    let version = 1;
    const { tables, options } = person((rows) => {
      if (tables.length === 1) version = 2;
      return accept({ run: all(rows), rest: 5 });
    });
    const asked: unknown[] = [];
    const policy: CallPolicy = {
      *decide() {
        return { verdict: 'ask', why: 'a rule says so', about: `version ${version}` };
      },
      *ask({ params }) {
        asked.push(params.file);
        return { approved: false, why: 'you said no' };
      },
    };
    const code = `
      const came = [];
      for (const file of ['a', 'b', 'c']) came.push(await tools.write({ file }).then((one) => one.file, (error) => error.code));
      return came;`;
    const report = await runCode(code, there, options, policy);
    expect(report.result).toEqual(['NOT_APPROVED', 'b', 'c']);
    expect(asked).toEqual(['a']);
    // What was let go on was the first version: the second is asked about in a table of its own.
    expect(tables).toHaveLength(2);
  });

  it('runs nothing that a rule denies, though it was edited to that in the table', async () => {
    const there = world();
    const { options } = person((rows) =>
      accept({ run: all(rows), edits: JSON.stringify({ [all(rows)[0] ?? '']: { file: 'never' } }) }),
    );
    const policy: CallPolicy = {
      *decide({ params }) {
        return { verdict: params.file === 'never' ? 'deny' : 'ask', why: 'a rule says so' };
      },
      *ask() {
        throw new Error('the table has asked');
      },
    };
    const code = `try { await tools.write({ file: 'maybe' }) } catch (error) { return error.code }`;
    expect((await runCode(code, there, options, policy)).result).toBe('CALL_DENIED');
    expect(there.written).toEqual([]);
  });

  it('goes on when the table is declined, and ends when it is cancelled', async () => {
    const code = `try { await tools.write({ file: 'a' }) } catch (error) { return error.code }`;
    const declined = person(() => ({ action: 'decline' }));
    expect(await runCode(code, world(), declined.options)).toMatchObject({
      status: 'done',
      result: 'NOT_APPROVED',
    });
    const cancelled = person(() => ({ action: 'cancel' }));
    expect(await runCode(code, world(), cancelled.options)).toMatchObject({
      status: 'stopped',
      error: expect.stringContaining('The user stopped the code'),
      calls: [{ tool: 'write', outcome: 'stopped' }],
    });
  });

  it('shows clients without an editor a list to untick, in parts when it is long', async () => {
    const there = world();
    const forms: { schema: Record<string, unknown>; message: string }[] = [];
    const elicitResponses = ({ requestedSchema, message }: MockElicitRequest) => {
      const { run } = requestedSchema.properties as unknown as {
        run: { default: string[]; items: { anyOf: { title: string }[] } };
      };
      forms.push({ schema: requestedSchema.properties, message });
      expect(run.items.anyOf[0]?.title).toMatch(/^\d+\. Write \{"file":"f\d+"\}$/);
      return accept({ run: run.default.slice(1) });
    };
    const code = `const done = await Promise.allSettled(${FORTY}.map((i) => tools.write({ file: 'f' + i }))); return done.length`;
    await runCode(code, there, { capabilities: FORMS, elicitResponses });
    expect(forms).toHaveLength(2);
    expect(there.written).toHaveLength(38);
    // One row, and a loop.
    forms.length = 0;
    const loop = `for (let i = 0; i < 5; i++) await tools.write({ file: 'f' + i });`;
    const answers = [accept({ run: ['1'] }), accept({ run: ['2'], rest: 10 })];
    await runCode(loop, there, { capabilities: FORMS, elicitResponses: answers });
    expect(there.written).toHaveLength(43);
  });

  it('runs nothing for a list that a client leaves out, as some do where all is unticked', async () => {
    const there = world();
    const without = (more: object) => accept({ run: undefined, ...more });
    const answers = [
      accept({ run: ['1'] }),
      without({ rest: 0 }),
      without({ other: 1 }),
      accept({ run: [] }),
    ];
    const loop = `for (const file of ['a', 'b', 'c']) await tools.write({ file }).catch(() => {});`;
    await runCode(loop, there, { capabilities: FORMS, elicitResponses: [...answers, accept({ run: [] })] });
    expect(there.written).toEqual([['a', 1]]);
  });

  it('shows all arguments in a form, readable, and runs nothing that is too long for one', async () => {
    const there = world();
    const asked: { text: string; run: readonly string[] }[] = [];
    const elicitResponses = ({ requestedSchema, message }: MockElicitRequest) => {
      const { run } = requestedSchema.properties as unknown as { run: { default: string[] } };
      asked.push({ text: `${message}\n${JSON.stringify(requestedSchema)}`, run: run.default });
      return accept({ run: run.default });
    };
    const code = `
      const files = [400, 9_000, 5_000, 5_000, 1].map((n, i) => '# '.repeat(n / 2) + '\\u202Erm -rf /' + i);
      return (await Promise.allSettled(files.map((file) => tools.write({ file })))).map(({ reason }) => reason?.message ?? 'ran')`;
    const { result } = await runCode(code, there, { capabilities: FORMS, elicitResponses });
    expect(asked.map(({ run }) => run)).toEqual([
      ['1', '3'],
      ['4', '5'],
    ]);
    for (const { text, run } of asked) {
      for (const id of run) expect(text).toContain(`rm -rf /${Number(id) - 1}`);
      expect(text).not.toMatch(/\u202E|^#/m);
      expect(text.length).toBeLessThan(10_000);
    }
    const tooLong = expect.stringContaining('too long to show to the user');
    expect(result).toEqual(['ran', tooLong, 'ran', 'ran', 'ran']);
    expect(there.written).toHaveLength(4);
    // Where nothing is left to show, nobody is asked.
    await runCode(`await tools.write({ file: 'x'.repeat(9_000) })`, there, {
      capabilities: FORMS,
      elicitResponses,
    });
    expect(asked).toHaveLength(2);
  });

  it('has a rule judge what the tool gets, and not how the code wrote it; also what a person edited', async () => {
    const there = world();
    const pushed: unknown[] = [];
    there.tools.set(
      'push',
      createMcpTool('push')
        .description('Pushes')
        .parameters(z.object({ branch: z.string().trim().toLowerCase().default('main') }))
        .elicits({})
        .execute(function* ({ branch }) {
          pushed.push(branch);
        }),
    );
    const rules = rulesPolicy([{ tool: 'push', arguments: { branch: 'main' }, verdict: 'deny' }]);
    const { options } = person((rows) =>
      accept({ run: all(rows), edits: JSON.stringify({ [rows[0]?.id ?? '']: { branch: ' Main' } }) }),
    );
    const code = `
      const calls = [{}, { branch: ' main' }, { branch: 'MAIN' }, { branch: 'fix' }, { branch: 'dev' }];
      return (await Promise.allSettled(calls.map((one) => tools.push(one)))).map(({ reason }) => reason?.code ?? 'ran')`;
    const { result } = await runCode(code, there, options, rules);
    expect(result).toEqual(['CALL_DENIED', 'CALL_DENIED', 'CALL_DENIED', 'CALL_DENIED', 'ran']);
    expect(pushed).toEqual(['dev']);
  });

  it.each(['deny', 'ask'] as const)(
    'has a rule judge a plugin once, with its handlers: %s',
    async (verdict) => {
      const there = world();
      const ran: string[] = [];
      const tool = createMcpTool('order')
        .description('Orders')
        .parameters(z.object({ what: z.string() }))
        .elicits({})
        .handoff({
          *before({ what }) {
            ran.push(`before ${what}`);
            return what;
          },
          *client(what) {
            return what;
          },
          *after(_handoff, what) {
            ran.push(`after ${what}`);
            return what;
          },
        });
      there.tools.set('order', makePlugin(tool).onElicit({}).build() as never);
      const { tables, options } = person((rows) => accept({ run: all(rows) }));
      const code = `return await tools.order({ what: 'tea' }).catch((error) => error.code)`;
      const { result } = await runCode(code, there, options, rulesPolicy([{ tool: 'order', verdict }]));
      expect([result, tables.length]).toEqual(verdict === 'deny' ? ['CALL_DENIED', 0] : ['tea', 1]);
      expect(ran).toEqual(verdict === 'deny' ? [] : ['before tea', 'after tea']);
    },
  );

  it('lets tools ask the person, one after the other', async () => {
    let asked = 0;
    const options = { elicitResponses: { name: () => accept({ name: `n${++asked}` }) } };
    const report = await runCode(
      'return await Promise.all([tools.ask(), tools.ask(), tools.ask()])',
      world(),
      options,
    );
    expect(report.result).toEqual(['n1', 'n2', 'n3']);
  });

  it('gives what a tool of another server answers as data: structured, else its text', async () => {
    const report = await runCode(
      'return [await tools.blocks(), await tools.blocks({ structured: true })]',
      world(),
    );
    expect(report.result).toEqual(['plain', { rows: 2 }]);
  });

  it('ends what it began and did not wait for', async () => {
    const there = world();
    const report = await runCode(
      `tools.endless(); tools.write({ file: 'x' }); await tools.read({ file: 'a' }); return 1`,
      there,
    );
    expect(report).toMatchObject({
      status: 'done',
      result: 1,
      calls: [{ outcome: 'stopped' }, { outcome: 'stopped' }, { outcome: 'ran' }],
    });
    expect(there.written).toEqual([]);
    expect(there.halted).toEqual(['endless']);
  });

  it('says what failed, with what was printed and called before', async () => {
    const failed = await runCode(
      `console.log('begun'); await tools.read({ file: 'a' }); throw new Error('no')`,
      world(),
    );
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Error: no'),
      output: 'begun',
      calls: [{ tool: 'read', outcome: 'ran' }],
    });
    expect(await runCode('await new Promise(() => {})', world())).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('never settles'),
    });
    expect(await runCode('const f = () => f(); f()', world())).toMatchObject({ status: 'failed' });
  });
});
