import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, until } from 'effection';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { JournalLine } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { EndEvent } from '#src/runtime/session/events.ts';
import {
  createMockMcpClient,
  type MockMcpClientOptions,
  recordMcpTool,
  runMcpTool,
} from '#src/testing/index.ts';
import { literal } from '#src/vscode/authoring/tests/literal.ts';
import { exportedAs, stepCutShort, testOf } from '#src/vscode/authoring/tests/saved-test.ts';
import { nodeArguments, runTestProcess, useReportFile } from '#src/vscode/authoring/tests/test-process.ts';
import { readReport } from '#src/vscode/authoring/tests/test-report.ts';
import { writeNewTest } from '#src/vscode/authoring/tests/write-new-test.ts';
import { pickCard } from '../../../../examples/workspace/.parley/tools/pick-card/tool.ts';
import { wordCount } from '../../../../examples/workspace/.parley/tools/word-count.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const exported = { name: 'it', from: '../tools/it.ts' };

/** A call that was made, as the history has it. */
async function callOf(
  tool: AnyTool,
  params: Record<string, string | number>,
  options: MockMcpClientOptions = {},
) {
  const client = createMockMcpClient(options);
  const { header, lines } = await recordMcpTool(tool, params, client, { callId: 'call-7' });
  const line = lines.findLast(({ t }) => t === 'end');
  if (line?.t !== 'end') throw new Error('it has not ended');
  const end = { at: 1, time: 1, type: line.how, value: line.value, error: line.error } as EndEvent;
  const { elicits } = tool.def;
  return { toolName: tool.name, callId: header.callId, params, lines, end, elicits, exported };
}

describe('a finished call as a test', () => {
  let folder = '';
  let home = '';
  beforeAll(async () => {
    await mkdir(join(root, 'test-results'), { recursive: true });
    folder = await mkdtemp(join(root, 'test-results', 'saved-'));
    home = join(folder, '.parley');
    await cp(join(root, 'examples', 'workspace', '.parley', 'tools'), join(home, 'tools'), {
      recursive: true,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const passes = (text: string, name: string) =>
    run(function* () {
      const file = yield* writeNewTest(home, name, text);
      const report = yield* useReportFile();
      const args = nodeArguments(
        { file, folder, pattern: undefined, coverage: false },
        join(root, 'dist'),
        report.path,
      );
      const command = { program: process.execPath, args, env: {} };
      const problem = yield* runTestProcess(command, file, () => {});
      const { tests } = readReport(yield* report.read());
      return {
        problem,
        tests: tests.filter(({ suite }) => !suite).map(({ name: it, how }) => `${how} ${it}`),
      };
    });

  it('passes for a tool that asks nobody', async () => {
    const text = await readFile(join(home, 'tools', 'word-count.ts'), 'utf8');
    expect(exportedAs(text, 'word_count')).toBe('wordCount');
    const call = await callOf(wordCount, { text: "It's one.\n“Two”" });
    const saved = testOf({ ...call, exported: { name: 'wordCount', from: '../tools/word-count.ts' } });
    expect(await passes(saved, 'word_count')).toEqual({
      problem: '',
      tests: ['passed word_count gives what it gave'],
    });
  });

  it('passes for one that asks the person, and the model in two branches of which one was let go', async () => {
    const call = await callOf(
      pickCard,
      { cards: 5 },
      {
        elicitResponses: [{ action: 'accept', content: { position: 2 } }],
        sampleResponses: [() => new Promise(() => {}), 'Luck.'],
      },
    );
    const saved = testOf({ ...call, exported: { name: 'pickCard', from: '../tools/pick-card/tool.ts' } });
    expect(saved).toContain("{ action: 'accept', content: { position: 2 } }");
    expect(await passes(saved, 'pick_card')).toEqual({
      problem: '',
      tests: ['passed pick_card gives what it gave'],
    });
  });

  it('leaves empty what the person left empty, though the form began with something', async () => {
    const tool = createMcpTool('notes')
      .description('d')
      .parameters(z.object({}))
      .elicits({ note: z.object({ title: z.string(), text: z.string().optional() }) })
      .execute(function* (_, ctx) {
        const values = { title: 'Today', text: 'nothing' };
        return yield* ctx.elicit.strict('note', { message: '?', values });
      });
    const content = { text: undefined };
    const call = await callOf(tool, {}, { elicitResponses: [{ action: 'accept', content }] });
    expect(testOf(call)).toContain("content: { title: 'Today', text: undefined }");
  });

  it('passes for a call in which the person went back, with what counts of it', async () => {
    const source = `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const goes = createMcpTool('goes').description('Asks.').parameters(z.object({})).annotations({ readOnlyHint: true })
  .elicits({ text: z.object({ text: z.string() }) })
  .execute(function* (_, ctx) {
    const one = yield* ctx.elicit.strict('text', { message: 'One?' });
    const two = yield* ctx.elicit('text', { message: 'Two?' });
    return [one.text, two.action === 'accept' ? two.exchange.messages : 'none'];
  });
`;
    const file = join(home, 'tools', 'goes.ts');
    await writeFile(file, source);
    const { goes } = (await import(file)) as { goes: AnyTool };
    const call = await run(function* () {
      const manager = yield* createSessionManager();
      const session = yield* manager.create({ tool: goes, params: {}, callId: 'call-7' });
      const answer = function* (text: string) {
        yield* until(vi.waitFor(() => expect(session.openAsks()).toHaveLength(1)));
        yield* session.respond(session.openAsks()[0]?.id ?? '', { action: 'accept', content: { text } });
      };
      yield* answer('gone');
      yield* until(vi.waitFor(() => expect(session.openAsks()[0]?.id).toBe('elicit-2')));
      yield* session.rewind('elicit-1');
      for (const text of ['one', 'two']) yield* answer(text);
      const end = yield* until(vi.waitFor(() => session.ended() ?? Promise.reject(new Error('not yet'))));
      return { toolName: 'goes', callId: 'call-7', params: {}, lines: session.journal().lines, end };
    });
    const saved = testOf({
      ...{ ...call, elicits: goes.def.elicits },
      exported: { name: 'goes', from: '../tools/goes.ts' },
    });
    expect(saved).not.toMatch(/gone|elicit-[34]/);
    expect(await passes(saved, 'goes')).toEqual({ problem: '', tests: ['passed goes gives what it gave'] });
  });

  it('passes for one that failed, which is then what is expected', async () => {
    const call = await callOf(
      pickCard,
      { cards: 3 },
      {
        elicitResponses: [{ action: 'accept', content: { position: 9 } }],
      },
    );
    const saved = testOf({ ...call, exported: { name: 'pickCard', from: '../tools/pick-card/tool.ts' } });
    expect((await passes(saved, 'pick_card')).tests).toEqual(['passed pick_card fails as it failed']);
  });

  it('passes for one with steps, which do nothing then', async () => {
    const text = `import { appendFileSync } from 'node:fs';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tag = createMcpTool('tag').description('Tags.').parameters(z.object({})).durable().elicits({})
  .execute(function* (_, ctx) {
    const made = yield* ctx.step('make', () => { throw new Error('it would be made again'); });
    return made;
  });
`;
    await writeFile(join(home, 'tools', 'tag.ts'), text);
    const tag = createMcpTool('tag')
      .description('Tags.')
      .parameters(z.object({}))
      .durable()
      .elicits({})
      .execute(function* (_, ctx) {
        return yield* ctx.step('make', () => ({ version: 'v1', notes: ['one', "it's two"] }));
      });
    const call = { ...(await callOf(tag, {})), exported: { name: 'tag', from: '../tools/tag.ts' } };
    const saved = testOf(call);
    // One that began again, for nobody knew what had come of it, is one step.
    const twice = call.lines.flatMap((line): JournalLine[] =>
      line.t === 'step' ? [line, { ...line, attempt: 2 }] : [line],
    );
    expect(testOf({ ...call, lines: twice })).toBe(saved);
    expect((await passes(saved, 'tag')).tests).toEqual(['passed tag gives what it gave']);
  });

  it('never takes the place of a test that is there, and follows no link', async () => {
    const [first, second] = await run(function* () {
      return [yield* writeNewTest(home, 'twice', '1'), yield* writeNewTest(home, 'twice', '2')];
    });
    expect([first, second].map((path) => path?.slice(-15))).toEqual(['s/twice.test.ts', 'twice-2.test.ts']);
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    const linked = join(folder, 'linked');
    await mkdir(linked);
    await symlink(elsewhere, join(linked, '.parley'));
    await expect(run(() => writeNewTest(join(linked, '.parley'), 'x', ''))).rejects.toThrow('is a link');
    expect(await readdir(elsewhere)).toEqual([]);
  });
});

describe('what a saved test holds', () => {
  const login = createMcpTool('login')
    .description('Logs in.')
    .parameters(z.object({ password: z.string() }))
    .elicits({})
    .execute(function* (_params, ctx) {
      const { text } = yield* ctx.sample({ prompt: 'Say' });
      return `${text} opens with hunter22`;
    });

  it('has no secret, wherever it went', async () => {
    const call = await callOf(login, { password: 'hunter22' }, { sampleResponses: ['hunter22'] });
    const saved = testOf(call);
    expect(saved).not.toContain('hunter22');
    expect(saved).toContain("password: '***'");
    expect(saved).toContain("'*** opens with ***'");
  });

  it('has what each step gave: a test does none of them again, with its effect', async () => {
    let tags = 0;
    const release = createMcpTool('release')
      .description('Releases.')
      .parameters(z.object({}))
      .durable()
      .elicits({})
      .execute(function* (_params, ctx) {
        const read = yield* ctx.step('read', () => ({ version: 2 }), { reads: true });
        yield* ctx.step('tag', () => void tags++);
        let problem = '';
        try {
          yield* ctx.step('tag', () => {
            throw new Error('it is there');
          });
        } catch (error) {
          problem = (error as Error).message;
        }
        return [read.version, problem];
      });
    const call = await callOf(release, {});
    expect(stepCutShort(call.lines)).toBeUndefined();
    const saved = testOf(call);
    expect(saved).toContain('read: [{ version: 2 }],');
    expect(saved).toContain("tag: [undefined, new Error('it is there')],");
    const steps = { read: [{ version: 3 }], tag: [undefined, new Error('it is there')] };
    expect(await runMcpTool(release, {}, createMockMcpClient(), { steps })).toEqual([3, 'it is there']);
    expect(tags).toBe(1);
    const short = runMcpTool(release, {}, createMockMcpClient(), { steps: { ...steps, tag: [undefined] } });
    expect(await short).toEqual([3, expect.stringContaining("add what it gives to 'steps'")]);
  });

  it('is refused where a step was cut short: nobody knows what it gave', async () => {
    const { lines } = await callOf(wordCount, { text: '' });
    const step = { t: 'step', id: 'step-1', name: 'tag', depth: 0, attempt: 1, ms: 0 } as const;
    expect(stepCutShort([...lines, step])).toBe('tag');
    expect(stepCutShort([...lines, step, { t: 'stepped', id: 'step-1', ms: 0 }])).toBeUndefined();
  });

  it('is code that says what the data says, whatever is in it', () => {
    const value = JSON.parse(
      `{"__proto__": {"a": 1}, "it's": "'; throw 1; // \\u2028 \\\\ \\n \${x} \\"", "n": [null, true, -0.5]}`,
    );
    const evaluated: unknown = new Function(`return (${literal(value)})`)();
    expect(JSON.stringify(evaluated)).toBe(JSON.stringify(value));
  });

  it('imports the tool as its file exports it', () => {
    expect(exportedAs("export default createMcpTool('a')", 'a')).toBe('default');
    expect(exportedAs("const b = createMcpTool('a')\nexport default b;", 'a')).toBe('default');
    expect(exportedAs("const b = createMcpTool('a')\nexport { b };", 'a')).toBe('b');
    expect(exportedAs("const b = createMcpTool('a')", 'a')).toBeUndefined();
    expect(exportedAs("export const b = createMcpTool('ab')", 'a')).toBeUndefined();
  });
});
