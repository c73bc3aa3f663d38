import { openSession, type Session2025, stateless } from './wire.ts';

/** A client of either era, for what both eras answer alike. */
export interface EdgeClient {
  readonly era: '2025' | '2026';
  /** The result, or the error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<any>;
}

/** One client of each era. */
export async function bothEras(
  url: URL,
  headers: Record<string, string> = {},
): Promise<readonly [EdgeClient, EdgeClient]> {
  const session: Session2025 = await openSession(url, { elicitation: {}, sampling: {}, roots: {} }, headers);
  let id = 0;
  return [
    {
      era: '2025',
      async request(method, params) {
        const messages = await (await session.request(++id, method, params)).rest();
        const last = messages.at(-1);
        return last?.result ?? last?.error;
      },
    },
    {
      era: '2026',
      async request(method, params = {}) {
        const messages = await (await stateless(url, method, params, headers)).rest();
        const last = messages.at(-1);
        return last?.result ?? last?.error;
      },
    },
  ];
}
