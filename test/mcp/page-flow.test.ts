import { randomUUID } from 'node:crypto';
import {
  Client as Later,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpTool } from 'parley-mcp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { answerForm, type Watched } from '#src/panel-port/index.ts';
import { drawPage, showsPages } from './kit/drawn-page.ts';
import { type InProcess, startServer } from './kit/in-process.ts';

const said = (of: string) => `unheard-of words of the ${of}`;
const forPerson = { type: 'text', text: said('person'), annotations: { audience: ['user'] } } as const;
const forModel = { type: 'text', text: said('model'), annotations: { audience: ['assistant'] } } as const;
const forBoth = { type: 'text', text: 'Row booked' } as const;

/** What the tool was answered, in this test. */
const rows: number[] = [];

/** Logs, asks the model, asks the person, and returns something for each of them. */
const talks = createMcpTool('talks')
  .description(said('description'))
  .parameters(z.object({ plane: z.string(), key: z.string() }))
  .requires({ elicitation: true })
  .elicits({ row: z.object({ row: z.int() }), sure: z.object({ yes: z.boolean() }) })
  .execute(function* ({ key }, ctx) {
    yield* ctx.log('info', said('log'), { key });
    if (ctx.capabilities.sampling) yield* ctx.sample({ prompt: said('prompt'), maxTokens: 10 });
    const row = yield* ctx.elicit('row', { message: 'Which row?' });
    if (row.action === 'accept') rows.push(row.content.row);
    yield* ctx.elicit('sure', { message: 'Sure?' });
    return { content: [forPerson, forModel, forBoth], _meta: { page: said('meta') } };
  });

let running: InProcess;
const clients: { close(): Promise<void> }[] = [];

async function serve(patience: number): Promise<void> {
  running = await startServer({ tools: [talks], apps: { patience } });
}

beforeEach(async () => {
  rows.length = 0;
  await serve(300);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** The same of 2026-07-28. */
async function connectLater(answer: (params: unknown) => Promise<object>) {
  const client = new Later(
    { name: randomUUID(), version: '1' },
    {
      capabilities: { extensions: showsPages, elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => (await answer(params)) as never);
  await client.connect(new LaterTransport(running.url));
  clients.push(client);
  await client.listTools();
  return client as unknown as Client;
}

/** A host that shows pages, and says what its model says. */
async function connect(more: object = {}) {
  const client = new Client(
    { name: randomUUID(), version: '1' },
    { capabilities: { extensions: showsPages, ...more } },
  );
  if ('sampling' in more)
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: said('answer') },
    }));
  await client.connect(new StreamableHTTPClientTransport(running.url));
  clients.push(client);
  await client.listTools();
  return client;
}

const input = { plane: 'A320', key: said('argument') };
const call = (client: Client) => client.callTool({ name: 'talks', arguments: input });
type Page = Awaited<ReturnType<typeof drawPage>>;

/** Answers both questions on the page, and gives all that it was told, from its first word to its last. */
async function play(page: Page, more: object = {}): Promise<Watched[]> {
  const mails: Watched[] = [];
  const answers = new Map<string, Record<string, number | boolean>>([
    ['Which row?', { row: 7 }],
    ['Sure?', { yes: true }],
  ]);
  for (;;) {
    const mail = await page.watch(input, more);
    mails.push(mail);
    if (mail.state !== 'open') return mails;
    for (const { body } of mail.messages) {
      const question = (body as { head?: { stage: { question?: { id: string; message: string } } } }).head
        ?.stage.question;
      const content = question && answers.get(question.message);
      if (!question || !content) continue;
      answers.delete(question.message);
      await page.send(answerForm({ questionId: question.id, attempt: 1, content }));
    }
  }
}

describe('what a page in a conversation learns', () => {
  it('is what the person is asked and told, and nothing of the log, the arguments, the model or earlier answers', async () => {
    // Its page is there in time, on a machine that is busy, too.
    await running.close();
    await serve(60_000);
    const client = await connect({ sampling: {} });
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
    const result = call(client);
    const heard = JSON.stringify(await play(await drawPage(client, 'talks')));
    for (const of of ['log', 'argument', 'prompt', 'answer', 'description', 'model'])
      expect(heard).not.toContain(said(of));
    expect(heard).not.toContain('"row":7');
    for (const one of ['Which row?', 'Sure?', said('person'), 'Row booked']) expect(heard).toContain(one);
    // Its host gets all of the result, with the word whom each part is for, and the log.
    expect(await result).toMatchObject({
      content: [forPerson, forModel, forBoth],
      _meta: { page: said('meta') },
    });
    expect(JSON.stringify(logs)).toContain(said('log'));
  });

  it('is, where it tells the model of the end, what the model may know: nothing that is for the person or the page alone', async () => {
    const client = await connect();
    const early = await call(client);
    expect(JSON.stringify(early)).not.toContain('unheard-of');
    const mails = await play(await drawPage(client, 'talks'));
    const told = mails.at(-1)?.told;
    expect(told).toEqual({ content: [forModel, forBoth] });
  });

  it('is in no answer that a model reads: what its tools give is beside their content', async () => {
    const client = await connect();
    await call(client);
    const page = await drawPage(client, 'talks');
    const { contents } = await client.readResource({ uri: 'ui://parley/talks' });
    expect(JSON.stringify(contents)).not.toContain('unheard-of');
    expect(JSON.stringify((await client.listResources()).resources)).not.toContain(page.ticket);
    expect(
      (await client.listTools()).tools.every((tool) => !JSON.stringify(tool).includes(page.ticket)),
    ).toBe(true);
    const { content, structuredContent, _meta } = await page.send();
    expect([content, structuredContent, _meta]).toEqual([[], {}, undefined]);
  });
});

describe('a question that is open in a form and on a page', () => {
  /** A host whose form stays open; gives when it was opened, and when it was withdrawn. */
  async function withForm() {
    const client = await connect({ elicitation: {} });
    const [opened, withdrawn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let answer: (content: object) => void = () => {};
    client.setRequestHandler(ElicitRequestSchema, (_request, { signal }) => {
      opened.resolve();
      signal.addEventListener('abort', () => withdrawn.resolve());
      return new Promise((resolve) => {
        answer = (content) => resolve({ action: 'accept', content } as never);
      });
    });
    return {
      client,
      opened: opened.promise,
      withdrawn: withdrawn.promise,
      answer: (it: object) => answer(it),
    };
  }

  it('is withdrawn from the form at once when the page answers', async () => {
    const { client, opened, withdrawn } = await withForm();
    const result = call(client);
    await opened;
    const page = await drawPage(client, 'talks');
    const { id } = await page.question(input);
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: 7 } }));
    await withdrawn;
    // From here on the host has a page: its form is left alone.
    const next = await page.questionAfter(id, input);
    expect(next.message).toBe('Sure?');
    await page.send(answerForm({ questionId: next.id, attempt: 1, content: { yes: true } }));
    expect(await result).toMatchObject({ content: [forPerson, forModel, forBoth] });
  });

  it('goes from the page at once when the form answers', async () => {
    const { client, opened, answer } = await withForm();
    const result = call(client);
    await opened;
    const page = await drawPage(client, 'talks');
    const { id } = await page.question(input);
    answer({ row: 7 });
    const next = await page.questionAfter(id, input);
    expect(next.message).toBe('Sure?');
    // Too late: it changes nothing.
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: 9 } }));
    await page.send(answerForm({ questionId: next.id, attempt: 1, content: { yes: true } }));
    expect(await result).toMatchObject({ content: [forPerson, forModel, forBoth] });
  });
});

describe('a question that a client of 2026-07-28 shows in its form, while a page comes late', () => {
  /** A host whose form stays open until it is answered; gives what it is asked, in order. */
  async function withForms() {
    const forms: { message: string; answer(content: object): void }[] = [];
    const client = await connectLater(
      (params) =>
        new Promise((resolve) => {
          const { message } = params as { message: string };
          forms.push({ message, answer: (content) => resolve({ action: 'accept', content }) });
        }),
    );
    const form = async (message: string) => {
      await vi.waitFor(() => expect(forms.at(-1)?.message).toBe(message), { timeout: 60_000 });
      return forms.at(-1);
    };
    return { client, form };
  }

  it('is answered on the page; what the form says then comes too late, and its call goes on', async () => {
    const { client, form } = await withForms();
    const result = call(client);
    const open = await form('Which row?');
    const page = await drawPage(client, 'talks');
    const { id } = await page.question(input);
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: 7 } }));
    const next = await page.questionAfter(id, input);
    expect(next.message).toBe('Sure?');
    await page.send(answerForm({ questionId: next.id, attempt: 1, content: { yes: true } }));
    await page.until('result', input);
    open?.answer({ row: 9 });
    expect(await result).toMatchObject({ content: [forPerson, forModel, forBoth] });
    expect(rows).toEqual([7]);
    expect(running.problems).toEqual([]);
    await expect.poll(() => running.holdings()).toEqual([]);
  });

  it('goes from the page at once when the form answers, and the next one is asked there', async () => {
    const { client, form } = await withForms();
    const result = call(client);
    const open = await form('Which row?');
    const page = await drawPage(client, 'talks');
    const { id } = await page.question(input);
    open?.answer({ row: 7 });
    const next = await page.questionAfter(id, input);
    expect(next.message).toBe('Sure?');
    // Too late: it changes nothing.
    await page.send(answerForm({ questionId: id, attempt: 1, content: { row: 9 } }));
    await page.send(answerForm({ questionId: next.id, attempt: 1, content: { yes: true } }));
    expect(await result).toMatchObject({ content: [forPerson, forModel, forBoth] });
    expect(rows).toEqual([7]);
  });
});
