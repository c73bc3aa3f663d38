import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Asks two questions; their page shows its title, which is no markup. */
export const pickSeat = createMcpTool('pick_seat')
  .description('Asks for a row.')
  .parameters(z.object({}))
  .title('Pick a <seat>')
  .requires({ elicitation: true })
  .elicits({ seat: z.object({ row: z.int() }), meal: z.object({ dish: z.string() }) })
  .execute(function* (_, ctx) {
    const { row } = yield* ctx.elicit.strict('seat', { message: 'Which row?' });
    const meal = yield* ctx.elicit('meal', { message: 'Which dish?' });
    return [row, meal.action === 'accept' ? meal.content.dish : meal.action];
  });

/** A browser's tab: it keeps the cookie, and sends the headers that browsers send. */
export function openTab(more: Record<string, string> = {}) {
  let cookie: string | undefined;
  const request = async (url: string, init: RequestInit = {}) => {
    const headers = { ...(cookie ? { cookie } : {}), ...more, ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
  const post = (url: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(url, {
      method: 'POST',
      headers: {
        origin: new URL(url).origin,
        // Pressed, not posted by a script.
        'sec-fetch-user': '?1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    get: (url: string) => request(url),
    post,
    watch: async (url: string, after = 0) =>
      (await post(`${url}?watch`, { ticket: '-', input: {}, after })).json() as Promise<{
        state: string;
        at: number;
        // biome-ignore lint/suspicious/noExplicitAny: messages of the panel's port
        messages: any[];
      }>,
    say: (url: string, message: object) => post(`${url}?send`, { ticket: '-', messages: [message] }),
  };
}

/** The question that the page shows, once it shows one. */
export async function questionOn(
  tab: ReturnType<typeof openTab>,
  url: string,
): Promise<{ id: string; message: string }> {
  for (;;) {
    const { messages } = await tab.watch(url);
    for (const { body } of messages.toReversed()) {
      const question = (body.head ?? body).stage?.question;
      if (question) return question;
    }
  }
}
