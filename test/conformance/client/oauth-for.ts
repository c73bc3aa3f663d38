import { discoverOAuthServerInfo } from '@modelcontextprotocol/client';

/** What the suite says of a client that its authorization server knows. */
export interface KnownClient {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
}

/** The field `oauth` that somebody would write into the entry of a server to log in there without a person; nothing where one logs in. */
export async function oauthFor(
  scenario: string,
  url: string,
  known: KnownClient,
): Promise<object | undefined> {
  if (!scenario.startsWith('auth/client-credentials')) return undefined;
  return {
    grantType: 'client_credentials',
    issuer: await issuerFor(url),
    clientId: known.client_id,
    clientSecret: known.client_secret,
    privateKey: known.private_key_pem,
    algorithm: known.signing_algorithm,
  };
}

/** Whoever registered the client knows it; the suite does not say it. */
async function issuerFor(url: string): Promise<string> {
  const { authorizationServerMetadata, authorizationServerUrl } = await discoverOAuthServerInfo(url);
  return authorizationServerMetadata?.issuer ?? authorizationServerUrl;
}
