import { discoverOAuthServerInfo } from '@modelcontextprotocol/client';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the suite says of a client that its authorization server knows. */
export interface KnownClient {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly valid_jwt?: string;
  readonly idp_id_token?: string;
  readonly idp_token_endpoint?: string;
  readonly idp_client_id?: string;
}

/** The field `oauth` that somebody would write into the entry of a server to log in there without a person, or with a client of their own; nothing where there is neither. */
export async function oauthFor(
  scenario: string,
  url: string,
  known: KnownClient,
): Promise<object | undefined> {
  const { valid_jwt: assertion, idp_id_token: idToken } = known;
  const isBearer = assertion !== undefined || idToken !== undefined;
  const isItself = isBearer || scenario.startsWith('auth/client-credentials');
  if (!isItself && known.client_secret === undefined) return undefined;
  return {
    ...(isItself ? { grantType: isBearer ? JWT_BEARER : 'client_credentials' } : {}),
    issuer: await issuerFor(url),
    clientId: known.client_id,
    clientSecret: known.client_secret,
    privateKey: known.private_key_pem,
    algorithm: known.signing_algorithm,
    assertion,
    idToken,
    idpTokenEndpoint: known.idp_token_endpoint,
    idpClientId: known.idp_client_id,
  };
}

/** Whoever registered the client knows it; the suite does not say it. */
async function issuerFor(url: string): Promise<string> {
  const { authorizationServerMetadata, authorizationServerUrl } = await discoverOAuthServerInfo(url);
  return authorizationServerMetadata?.issuer ?? authorizationServerUrl;
}
