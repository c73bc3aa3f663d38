import type { AddClientAuthentication, OAuthClientProvider } from '@modelcontextprotocol/client';

/** Who a client is to an authorization server, as the SDK has it. */
export type ClientInformation = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

/**
 * Says who a client is where tokens are asked for, in the way that its authorization server takes. The SDK writes id and secret into HTTP
 * Basic as they are: then a colon in the id ends it, a plus in the secret is read as a space, and a letter beyond Latin fails (RFC 6749, 2.3.1).
 */
export function clientAuthentication(
  find: () => ClientInformation | undefined | Promise<ClientInformation | undefined>,
): AddClientAuthentication {
  return async (headers, params, _url, metadata) => {
    const client = await find();
    if (!client) return;
    const { client_id, client_secret = '' } = client;
    const { selectClientAuthMethod } = await import('@modelcontextprotocol/client');
    const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
    if (method === 'client_secret_basic') {
      const credentials = Buffer.from(`${formEncoded(client_id)}:${formEncoded(client_secret)}`);
      headers.set('authorization', `Basic ${credentials.toString('base64')}`);
      return;
    }
    params.set('client_id', client_id);
    if (method === 'client_secret_post') params.set('client_secret', client_secret);
  };
}

/** A text as the value of a form. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
