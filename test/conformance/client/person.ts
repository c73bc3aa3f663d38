import { createLogin, type HttpEntry, type Login } from '#src/mcp/client/index.ts';

/** Where the suite has the metadata document of a client, in the one scenario that wants one to be named. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** The login of a person, as a window or a gateway has it: they log in at once, wherever they are sent. */
export function personAt(scenario: string, { url, client }: HttpEntry): Login {
  let kept: string | undefined;
  return createLogin({
    url,
    redirect: 'http://localhost:3000/callback',
    ...(client ? { client } : scenario === 'auth/basic-cimd' ? { client: { clientId: DOCUMENT } } : {}),
    read: async () => kept,
    keep: async (text) => {
      kept = text;
    },
    async send(page) {
      const { headers } = await fetch(page, { redirect: 'manual' });
      return new URL(headers.get('location') ?? 'http://localhost:3000/callback').searchParams;
    },
  });
}
