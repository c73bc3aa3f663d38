import { createLogin, type Login } from '#src/mcp/client/index.ts';
import { createLogin as createKnownLogin } from './login.ts';
import type { KnownClient } from './oauth-for.ts';

/** Where the suite has the metadata document of a client, in the one scenario that wants one to be named. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** The login of a person, as a window or a gateway has it: they log in at once, wherever they are sent. */
export function personAt(scenario: string, url: string, known: KnownClient): Login {
  // In the product a client with a secret is one that logs in without a person.
  if (known.client_secret !== undefined) return createKnownLogin(known);
  let kept: string | undefined;
  return createLogin({
    url,
    redirect: 'http://localhost:3000/callback',
    ...(scenario === 'auth/basic-cimd' ? { clientId: DOCUMENT } : {}),
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
