import { run, scoped } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createMockMcpClient } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { fence, inlineText } from '#src/vscode/calls/transcript/markdown.ts';
import { transcriptOf } from '#src/vscode/calls/transcript/transcript.ts';

const t = (message: string, ...values: string[]) =>
  message.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');

const tool = createMcpTool('tell')
  .description('Tells.')
  .parameters(z.object({ topic: z.string() }))
  .elicits({
    tone: { response: z.object({ tone: z.string().min(3) }), context: z.object({ of: z.string() }) },
  })
  .execute(function* ({ topic }, ctx) {
    yield* ctx.log('warning', 'about to *ask*', { topic });
    yield* ctx.notify('Asking', 0.5);
    const answer = yield* ctx.elicit('tone', { message: 'Which tone?\n```', of: topic });
    if (answer.action !== 'accept') throw new Error('no tone');
    const { text } = yield* ctx.sample({ prompt: `About ${topic}`, systemPrompt: 'Be short.' });
    return yield* ctx.branch(function* (branch) {
      yield* branch.log('info', 'inside');
      return text;
    });
  });

/** The transcript of a call that the script answers. */
async function transcript(elicitResponses: readonly object[]): Promise<string> {
  return await run(() =>
    scoped(function* () {
      const manager = yield* createSessionManager();
      const client = createMockMcpClient({
        elicitResponses: elicitResponses as never,
        sampleResponses: ['Rain ``` falls.'],
      });
      const capabilities = client.capabilities();
      const session = yield* manager.create({ tool, params: { topic: 'rain' }, callId: 'c1', capabilities });
      yield* drive(session, client, 'end');
      return transcriptOf(
        {
          title: 'Tell *it*',
          toolName: 'tell',
          callId: 'c1',
          asker: undefined,
          status: session.status(),
          params: session.params,
          startedAt: session.startedAt,
          waited: 110_000,
          events: session.events(),
        },
        t,
      );
    }),
  );
}

const headings = (text: string) =>
  [...text.matchAll(/^(?:## (?:\+\d+\.\d{3} s · )?|- \+\d+\.\d{3} s · )(.*)$/gm)].map(
    ([, heading]) => heading,
  );

describe('a transcript', () => {
  test('has everything that happened, in order, with times and messages', async () => {
    const text = await transcript([
      { action: 'accept', content: { tone: 'x' } },
      { action: 'accept', content: { tone: 'dry' } },
    ]);
    expect(headings(text)).toEqual([
      'Parameters',
      'warning: about to \\*ask\\*',
      'Asking (50 %)',
      'Question “tone”',
      'Question “tone”',
      '“tone” was answered: accept',
      'Sampling “sample\\#1”',
      'The model answered “sample\\#1”',
      'info: inside (branch, depth 1)',
      'Result',
    ]);
    // What needs no more than a line has one.
    expect(text).toMatch(/^- \+\d+\.\d{3} s · Asking \(50 %\)$/m);
    expect(text).toMatch(/^# Tell \\\*it\\\*$/m);
    expect(text).toMatch(/^Attempt 2: .*tone/m);
    expect(text).toContain('**system**\n\n```text\nBe short.\n```\n\n**user**\n\n```text\nAbout rain\n```');
    expect(text).toContain('````text\nRain ``` falls.\n````');
    expect(text).toContain('"of": "rain"');
    // What few want to read is there, and folded away.
    expect(text).toMatch(/<details><summary>Form<\/summary>\n\n```json\n[\s\S]*?\n```\n\n<\/details>/);
    expect(text).toMatch(/<details><summary>Options<\/summary>/);
    expect(text).toMatch(/^- Tool: `tell`$/m);
    expect(text).toContain('- Status: completed');
    expect(text).toMatch(/^- Duration: \d+ ms$/m);
    expect(text).toMatch(/^- Waiting for you: 1 min 50 s$/m);
    expect(text).toMatch(/^- Started by: you$/m);
  });

  test('says why a call failed', async () => {
    const text = await transcript([{ action: 'decline' }]);
    expect(headings(text).slice(-2)).toEqual(['“tone” was answered: decline', 'Failed: no tone']);
  });
});

test('nothing in a text ends its fence, or becomes markup on a line', () => {
  expect(fence('a\n````\nb')).toBe('`````\na\n````\nb\n`````');
  expect(inlineText('# <b>x</b>\n[y](z)')).toBe('\\# \\<b\\>x\\</b\\> \\[y\\](z)');
});

test('a transcript has no secret: not in parameters, questions, answers, prompts or logs', async () => {
  const login = createMcpTool('login')
    .description('Logs in.')
    .parameters(z.object({ apiKey: z.string() }))
    .elicits({
      who: {
        response: z.object({ password: z.string(), name: z.string() }),
        context: z.object({ token: z.string() }),
      },
    })
    .execute(function* ({ apiKey }, ctx) {
      const { password } = yield* ctx.elicit.strict('who', { message: `Who, ${apiKey}?`, token: 'result' });
      yield* ctx.log('info', `with ${password}`, { apiKey });
      yield* ctx.sample({ prompt: `Is ${password} good?` });
      return { said: password };
    });
  const text = await run(function* () {
    const manager = yield* createSessionManager();
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { password: 'open *sesame*', name: 'Ada' } }],
      sampleResponses: ['Better than open *sesame*.'],
    });
    const params = { apiKey: 'k-12345' };
    const session = yield* manager.create({ tool: login, params, capabilities: client.capabilities() });
    yield* drive(session, client, 'end');
    const { startedAt } = session;
    const facts = { title: 'Log in', toolName: 'login', callId: 'c1', asker: undefined, status: 'completed' };
    return transcriptOf({ ...facts, params, startedAt, waited: 0, events: session.events() }, t);
  });
  expect(text).not.toMatch(/k-12345|sesame/);
  expect(text).toContain('"apiKey": "***"');
  expect(text).toContain('"name": "Ada"');
  expect(text).toContain('Who, ***?');
  // The form says what a password is, and an end is an end.
  expect(text).toMatch(/"password": \{\s+"type": "string"/);
  expect(headings(text).at(-1)).toBe('Result');
});
