import { asLabel } from '../../../core/messages/label.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { isSameIssuer } from '../../login/oauth-options.ts';
import { LoginRefused } from './refused-plainly.ts';

/** Where an authorization server says of itself what it is (RFC 8414, OpenID Connect Discovery). */
export const METADATA = /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/|$)/;

/** What the SDK wants an authorization server to say, and nobody needs. */
const UNUSED = {
  response_types_supported: ['code'],
  subject_types_supported: [],
  id_token_signing_alg_values_supported: [],
};

/**
 * An answer about a login as it was meant, for the SDK, whose schemas refuse all of it for one field: null is absent, and what nobody needs
 * may be. Whose metadata it is is looked at here, since the SDK takes an issuer with a slash at the end for another one.
 *
 * @throws `LoginRefused` where it is another authorization server's
 */
export async function readLogin(asked: URL, response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { headers, status } = response;
  const text = await response.text();
  const said = objectIn(text);
  const isMetadata = METADATA.test(asked.pathname);
  // A site that answers everything with its start page has none.
  if (!said) return new Response(text || null, { headers, status: isMetadata ? 404 : status });
  if (!isMetadata) return new Response(JSON.stringify(said), { headers, status });
  const expected = `${asked.origin}${asked.pathname.replace(METADATA, '')}`;
  const { issuer = 'none' } = said;
  if (!isSameIssuer(String(issuer), expected))
    throw new LoginRefused(
      `the login at ${expected} says that it is another one: ${asLabel(String(issuer))}`,
    );
  return new Response(JSON.stringify({ ...UNUSED, jwks_uri: asked.href, ...said }), { headers, status });
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const said: unknown = JSON.parse(text, (_, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) : value,
    );
    return isObject(said) ? said : undefined;
  } catch {
    return undefined;
  }
}
