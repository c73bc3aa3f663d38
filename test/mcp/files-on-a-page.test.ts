import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attachment, createMcpTool } from 'parley-mcp';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerForm } from '#src/panel-port/index.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { type Linked, linked } from './kit/channel.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { type Person, person } from './kit/person.ts';
import { accept, ask, envelope, type Message, openSession } from './kit/wire.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const picture = { type: 'image', data: PNG, mimeType: 'image/png', _meta: { name: 'bug.png' } };
/** As large as an answer may be. */
const large = { ...picture, data: PNG.slice(0, 40) + 'A'.repeat(4_000_000) };

const report = createMcpTool('report')
  .description('Takes pictures')
  .parameters(z.object({}))
  .elicits({ bug: z.object({ shots: attachment({ maxBytes: 4_000_000 }).optional() }) })
  .execute(function* (_, ctx) {
    const { shots = [] } = yield* ctx.elicit.strict('bug', { message: 'What is wrong?' });
    return [{ type: 'text' as const, text: `${shots.length}` }, ...shots];
  });

let server: McpServer | undefined;
let one: Person | undefined;
let http: InProcess | undefined;
afterEach(async () => {
  await http?.close();
  await server?.close();
  one?.page.close();
});

async function serving(withPage: boolean): Promise<Linked> {
  one = person();
  server = createMcpServer({
    name: 'test',
    version: '1',
    tools: [report],
    ...(withPage && { page: one.page }),
  });
  return await linked(server);
}

const call = { name: 'report', arguments: {} };

async function initialized(client: Linked): Promise<void> {
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'other', version: '1' },
  });
}

async function calling(era: string, client: Linked): Promise<Message> {
  if (era === '2025') await initialized(client);
  const _meta = era === '2025' ? undefined : envelope({ elicitation: {} });
  return await client.request('tools/call', _meta ? { ...call, _meta } : call);
}

describe.each(['2025', '2026'])('files, before a client with forms in %s', (era) => {
  it('are given on a page of ours, and come back as content', async () => {
    const result = calling(era, await serving(true));
    const tab = await one?.tab();
    const [page] = (await tab?.asking()) ?? [];
    if (!tab || !page) throw new Error('nothing is asked');
    const { id: questionId } = await tab.question(page);
    await tab.say(page, answerForm({ questionId, attempt: 1, content: { shots: [large] } }));
    expect((await result).result.content).toEqual([{ type: 'text', text: '1' }, large]);
  });
});

/** Answers the question of a call with what is no file, and then with nothing: gives what was asked, and what came of it. */
type Answering = (given: unknown) => Promise<{ asked: Message[]; content: unknown }>;

/** In the later era: each leg of a call is a request. */
const byLegs =
  (leg: (params: object) => Promise<Message>): Answering =>
  async (given) => {
    const first = { ...call, _meta: envelope({ elicitation: {} }) };
    const asked: Message[] = [];
    let reply = await leg(first);
    for (const shots of [given, '']) {
      const { requestState, inputRequests } = reply.result;
      const [key = ''] = Object.keys(inputRequests);
      asked.push(inputRequests[key]);
      reply = await leg({ ...first, requestState, inputResponses: { [key]: accept({ shots }) } });
    }
    return { asked, content: reply.result.content };
  };

/** A call of the earlier era: its questions come while it is open. */
interface Open {
  until: Linked['until'];
  answer(id: string | number, result: object): unknown;
  ended(): Promise<Message>;
}

const inSession =
  (begin: () => Promise<Open>): Answering =>
  async (given) => {
    const { until, answer, ended } = await begin();
    const asked: Message[] = [];
    for (const shots of [given, '']) {
      const message = await until(({ method }) => method === 'elicitation/create');
      asked.push(message);
      await answer(message.id ?? '', accept({ shots }));
    }
    return { asked, content: (await ended()).result.content };
  };

const wires: Record<string, () => Promise<Answering>> = {
  async '2025 over stdio'() {
    const client = await serving(false);
    await initialized(client);
    return inSession(async () => {
      const ending = client.request('tools/call', call);
      return { ...client, ended: () => ending };
    });
  },
  async '2026 over stdio'() {
    const client = await serving(false);
    return byLegs((params) => client.request('tools/call', params));
  },
  async '2025 over HTTP'() {
    http = await startServer({ tools: [report] });
    const session = await openSession(http.url);
    return inSession(async () => {
      const { until } = await session.request('call', 'tools/call', call);
      return { until, answer: session.answer, ended: () => until(({ id }) => id === 'call') };
    });
  },
  async '2026 over HTTP'() {
    http = await startServer({ tools: [report] });
    const { url } = http;
    return byLegs((params) => ask(url, 'tools/call', { ...params }));
  },
};

it.each(Object.keys(wires))(
  'files are no paths in %s, where there is no page: none is read',
  async (wire) => {
    const path = join(tempFolder(), 'shot.png');
    await writeFile(path, Buffer.from(PNG, 'base64'));
    const uri = pathToFileURL(path).href;
    const answering = await wires[wire]?.();
    const refused = async (given: unknown, why: string) => {
      const { asked, content } = (await answering?.(given)) ?? {};
      const text = { type: 'string', description: expect.stringContaining('leave it empty') };
      expect(asked).toMatchObject([
        { params: { requestedSchema: { properties: { shots: text } } } },
        { params: { message: expect.stringContaining(why) } },
      ]);
      expect(content).toEqual([{ type: 'text', text: '0' }]);
    };
    for (const text of [path, uri, relative(process.cwd(), path), '~/shot.png', '\\\\host\\c\\shot.png'])
      await refused(text, 'not read as a file or a path');
    await refused([path], 'shots');
    await refused([{ type: 'resource_link', uri, name: 'shot.png' }], 'shots');
    await refused([{ type: 'resource', resource: { uri, mimeType: 'image/png' } }], 'it is no file');
  },
);
