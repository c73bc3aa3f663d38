import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpSession } from '#src/mcp/era-2025/http-session.ts';
import { HttpSessions } from '#src/mcp/era-2025/http-sessions.ts';
import { HTTP_LIMITS } from '#src/mcp/http/limits.ts';

const ID = 'a4b26c13-6d0c-4ef4-bf0b-5b6c1d0a1c11';
let sessions: HttpSessions;
let http: ReturnType<typeof createServer>;
let url: string;
/** A request of the session that its process before has kept. */
let kept: { id: number; stream: number } | undefined;

beforeEach(async () => {
  kept = undefined;
  sessions = new HttpSessions({
    limits: HTTP_LIMITS,
    revisions: ['2025-11-25'],
    connect: async () => {},
    takeOver: async (id) => {
      if (id !== ID) return undefined;
      const session = new HttpSession(id, 'ann', HTTP_LIMITS, 1_000);
      if (kept) session.adopt({ ...kept, asked: {} });
      return session;
    },
  });
  http = createServer((req, res) => void sessions.handle(req, res, { name: 'ann' }, undefined));
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await sessions.close();
  http.closeAllConnections();
  await new Promise((closed) => http.close(closed));
});

async function resume(event: string): Promise<number> {
  const headers = { 'mcp-session-id': ID, accept: 'text/event-stream', 'last-event-id': event };
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.status;
}

describe('a session that another process had', () => {
  test('is over for a client that comes back for a request which was not kept yet: it begins anew', async () => {
    expect(await resume('1-0')).toBe(404);
    expect(sessions.size).toBe(0);
  });

  test('goes on for one whose request was kept, and stays while it has another that was', async () => {
    kept = { id: 1, stream: 1 };
    expect(await resume('1-0')).toBe(200);
    expect(await resume('2-0')).toBe(400);
    expect(sessions.size).toBe(1);
  });

  test('goes on for nobody from an event that it has not come to: what came until there would be lost', async () => {
    kept = { id: 1, stream: 1 };
    expect(await resume('1-1001')).toBe(400);
    expect(await resume('1-999999999999')).toBe(400);
    expect(await resume('0-999999999999')).toBe(400);
    expect(await resume('1-1000')).toBe(200);
  });
});
