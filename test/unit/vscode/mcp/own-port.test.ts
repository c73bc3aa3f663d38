import { until } from 'effection';
import { expect, it } from 'vitest';
import { stateless } from '#test/mcp/kit/wire.ts';
import { createDisk, inWindow } from './window-kit.ts';

const list = async (url: string, token: string) => {
  const reply = await stateless(new URL(url), 'tools/list', {}, { authorization: `Bearer ${token}` });
  return { status: reply.status, body: JSON.stringify(await reply.rest()) };
};

it('the Copilot of a window, in an agent host too, has a port on this machine, which is gone with the window', async () => {
  const disk = createDisk();
  let at = '';
  await inWindow(
    function* ({ server }) {
      const { url, token } = yield* server.forCopilot();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
      at = url;
      const answer = yield* until(list(url, token));
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toContain('"dynamic"');
      expect(answer.body).not.toContain('"shipped"');
      expect((yield* server.forCopilot()).url).toBe(url);
      expect(disk.state.keys()).toEqual([]);
    },
    { disk },
  );
  await expect(fetch(at)).rejects.toThrow();
});

it('nobody else is let in there: it is not the port that other clients were told', () =>
  inWindow(function* ({ server }) {
    const own = yield* server.forCopilot();
    const other = yield* server.forClient('Cursor');
    expect(new URL(other.url).port).not.toBe(new URL(own.url).port);
    for (const token of [other.token, 'somebody else’s'.replace('’', '')]) {
      expect((yield* until(list(own.url, token))).status).toBe(401);
    }
    expect((yield* until(list(other.url, other.token))).body).toContain('"shipped"');
  }));
