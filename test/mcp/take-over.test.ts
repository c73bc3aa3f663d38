import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRings } from '#test/rings.ts';
import { ownFolder } from './kit/own-folder.ts';
import { root, type Served, serveHttp } from './kit/parley-serve.ts';
import { accept, openSession, type Reply, type Session2025, sessionAt } from './kit/wire.ts';

const tools = join(root, 'test/mcp/kit/durable-tools.ts');
const own = ownFolder();

async function serve(...flags: readonly string[]): Promise<Served> {
  const served = await serveHttp([tools], '--no-token', '--state', join(own.path, 'calls'), ...flags);
  own.ending(served);
  return served;
}

const releasing = () => ({ name: 'release', arguments: { log: own.log } });

/** Reads a stream up to a question, and gives its id and that of the event before it. */
async function question(reply: Reply) {
  let before: string | undefined;
  for (;;) {
    const event = await reply.next();
    if (!event) throw new Error('the stream ended before a question came');
    const { id, message } = event;
    if (message?.method === 'elicitation/create') {
      const { id: asked, params } = message;
      return { event: id ?? '', before, id: asked ?? '', message: params.message as string };
    }
    before = id;
  }
}

const isAnswer = (id: number) => (message: { id?: unknown; result?: unknown }) =>
  message.id === id && message.result !== undefined;

describe.each(inRings(['host'], ['worker']))(
  'a 2025-era session whose process was killed (--isolation %s)',
  (isolation) => {
    const flags = ['--isolation', isolation];

    it('goes on in the next one: an answer of before counts, and each step ran once', async () => {
      const a = await serve(...flags);
      const session = await openSession(a.url);
      const asked = await question(await session.request(7, 'tools/call', releasing()));
      expect(asked.message).toBe('Which version?');
      await a.stop('SIGKILL');

      const b = await serve(...flags);
      const again = sessionAt(b.url, session);
      const stream = await again.get(asked.event);
      expect(stream.status).toBe(200);
      expect((await again.answer(asked.id, accept({ version: '1.0' }))).status).toBe(202);
      // The question that its client has read is not asked again.
      const next = await question(stream);
      expect(next.message).toBe('Publish 1.0?');
      await again.answer(next.id, accept({ sure: true }));
      expect((await stream.until(isAnswer(7))).result).toMatchObject({
        content: [{ text: 'released 1.0: true' }],
      });
      expect((await own.effects()).map((line) => line.replace(/ \S+$/, ''))).toEqual([
        'read',
        'tag 1.0',
        'publish 1.0',
      ]);
    }, 60_000);

    it('asks again under the same id what its client has not read', async () => {
      const a = await serve(...flags);
      const session = await openSession(a.url);
      const asked = await question(await session.request(7, 'tools/call', releasing()));
      await a.stop('SIGKILL');

      const b = await serve(...flags);
      const again = sessionAt(b.url, session);
      const stream = await again.get(asked.before);
      const same = await question(stream);
      expect(same).toMatchObject({ id: asked.id, message: 'Which version?' });
      await again.answer(same.id, accept({ version: '2.0' }));
      expect((await question(stream)).message).toBe('Publish 2.0?');
      expect(await own.effects()).toHaveLength(2);
    }, 60_000);
  },
);

describe('a 2025-era session', () => {
  async function killedWhileAsking(): Promise<{
    session: Session2025;
    asked: Awaited<ReturnType<typeof question>>;
  }> {
    const a = await serve();
    const session = await openSession(a.url);
    const asked = await question(await session.request(7, 'tools/call', releasing()));
    await a.stop('SIGKILL');
    return { session, asked };
  }

  it('goes on with an answer alone, also twice, and gives its result to whoever comes for the stream', async () => {
    const { session, asked } = await killedWhileAsking();
    const b = await serve();
    const again = sessionAt(b.url, session);
    await Promise.all([
      again.answer(asked.id, accept({ version: '1.0' })),
      again.answer(asked.id, accept({ version: '9.9' })),
    ]);
    const next = await question(await again.get(asked.event));
    expect(next.message).toMatch(/^Publish (1\.0|9\.9)\?$/);
    await again.answer(next.id, accept({ sure: false }));
    // The connection was lost before the result: it is there for who comes again, also in a third process.
    await b.stop('SIGKILL');
    const c = await serve();
    const third = sessionAt(c.url, session);
    const stream = await third.get(next.event);
    expect((await stream.until(isAnswer(7))).result.content[0].text).toMatch(/^released (1\.0|9\.9): false$/);
    expect(await own.effects()).toHaveLength(2);
  }, 60_000);

  it('is nobody else’s, and one that was ended is nobody’s', { timeout: 60_000, tags: 'long' }, async () => {
    const { session, asked } = await killedWhileAsking();
    const b = await serve();
    const stranger = sessionAt(b.url, { ...session, id: crypto.randomUUID() });
    expect((await stranger.get(asked.event)).status).toBe(404);
    const again = sessionAt(b.url, session);
    expect((await again.delete()).status).toBe(200);
    await b.stop('SIGKILL');
    const c = await serve();
    expect((await sessionAt(c.url, session).get(asked.event)).status).toBe(404);
    expect(await own.effects()).toHaveLength(1);
  });

  it('that another process still has is not taken: its client is told to come again', async () => {
    const a = await serve();
    const session = await openSession(a.url);
    const asked = await question(await session.request(7, 'tools/call', releasing()));
    const b = await serve();
    const refused = await sessionAt(b.url, session).get(asked.event);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await session.answer(asked.id, accept({ version: '1.0' }))).status).toBe(202);
    await expect.poll(own.effects).toHaveLength(2);
  }, 60_000);

  it('moves when its server is stopped in good order', async () => {
    const a = await serve();
    const session = await openSession(a.url);
    const asked = await question(await session.request(7, 'tools/call', releasing()));
    await a.stop('SIGTERM');
    const b = await serve();
    const again = sessionAt(b.url, session);
    const stream = await again.get(asked.event);
    await again.answer(asked.id, accept({ version: '1.0' }));
    expect((await question(stream)).message).toBe('Publish 1.0?');
    expect(await own.effects()).toHaveLength(2);
  }, 60_000);
});
