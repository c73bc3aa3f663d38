import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthTokens,
} from '@modelcontextprotocol/client';

/** A person who logs in at once, wherever they are sent; everything is kept in memory. */
export function createLogin() {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let answered = new URLSearchParams();
  const redirectUrl = 'http://localhost:3000/callback';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    clientMetadata: {
      client_name: 'parley',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') information = undefined;
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
    },
    async redirectToAuthorization(page) {
      const { headers } = await fetch(page, { redirect: 'manual' });
      answered = new URL(headers.get('location') ?? redirectUrl).searchParams;
    },
  };
  return { provider, answer: async () => answered };
}
