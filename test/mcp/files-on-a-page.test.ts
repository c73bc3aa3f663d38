import { attachment, createMcpTool } from 'parley-mcp';
import { createMcpServer, type McpServer } from 'parley-mcp/server';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerForm } from '#src/panel-port/index.ts';
import { type Linked, linked } from './kit/channel.ts';
import { type Person, person } from './kit/person.ts';
import { accept, envelope, type Message } from './kit/wire.ts';

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
afterEach(async () => {
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

it('files are no paths where there is no page: the person is told so, and leaves the field empty', async () => {
  const client = await serving(false);
  const result = calling('2025', client);
  const asked: Message[] = [];
  for (const shots of ['/etc/passwd', '']) {
    const message = await client.until(({ method }) => method === 'elicitation/create');
    asked.push(message);
    client.answer(message.id ?? '', accept({ shots }));
  }
  const text = { type: 'string', description: expect.stringContaining('leave it empty') };
  expect(asked).toMatchObject([
    { params: { requestedSchema: { properties: { shots: text } } } },
    { params: { message: expect.stringContaining('not read as a file or a path') } },
  ]);
  expect((await result).result.content).toEqual([{ type: 'text', text: '0' }]);
});
