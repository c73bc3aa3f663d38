import { createHash, randomBytes } from 'node:crypto';
import type {
  DpopSession,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { OwnClient } from '../config/credentials.ts';
import { clientAuthentication } from './client-authentication.ts';
import { type DpopKey, newDpopKey, openDpop, wantsDpop } from './dpop.ts';
import { isSendable, ownClientAt } from './own-client.ts';
import { refusedOnce } from './refused-once.ts';

/** How to log in at a server that is reached at an address. */
export interface Login {
  /** The SDK's: keeps tokens, and shows the person where to log in. */
  readonly provider: OAuthClientProvider;
  readonly turn?: LoginPort['turn'];
  /** A `fetch` that asks the server itself: what it wants of a login is heard. */
  watched?(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /** A `fetch` that asks the authorization server: what it refuses is told plainly. */
  asking?(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /** What the login page sent back to us: the query of the redirect; nothing where somebody has logged in since it was named. */
  answer(signal: AbortSignal): Promise<URLSearchParams | undefined>;
  /** Whether the person did not log in when they were asked, and is to be left alone. */
  readonly refused?: boolean;
  /** What was sent back is used up. */
  used?(): void;
}

/** What a login needs of whoever shows it to a person. */
export interface LoginPort {
  /** Of the server: what was kept for another one is not used. */
  readonly url: string;
  /** Where login pages send the person back to. */
  readonly redirect: string;
  /** Who we are to the authorization server; without it we register ourselves. */
  readonly client?: OwnClient;
  /** What to log in for, in place of what the server names. */
  readonly scope?: string;
  /** Whether others keep it, too, such as another replica: then it is read each time. */
  readonly shared?: boolean;
  /** What was kept, where only this person's programs read it. */
  read(): Promise<string | undefined>;
  keep(text: string): Promise<void>;
  /**
   * The turn of this program to do what one of all that keep this login does, by its name. Returns what ends it; nothing while another one
   * has it. Where there are no others it is left out.
   */
  turn?(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Says something in the log of the server. */
  warn?(message: string): void;
  /** Sends the person to a page, and gives what that sends back with this state. */
  send(page: URL, state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** What is kept of a login. */
interface Kept {
  readonly url: string;
  /** What the client is registered with. */
  readonly redirect: string;
  readonly client?: StoredOAuthClientInformation;
  /** What was given instead, and for which authorization server. A secret is not kept. */
  readonly clientId?: string;
  readonly issuer?: string;
  /** What was asked for in place of what the server named. */
  readonly scope?: string;
  readonly tokens?: StoredOAuthTokens;
  /** What they are bound to, at a server that wants it. */
  readonly dpop?: DpopKey;
}

/** A client as it is registered. */
type Who = Required<Pick<Kept, 'client' | 'redirect'>>;

/** Who we were when a person was sent to a page, and where that was: what they bring back is for nobody else. */
interface Sent {
  readonly as: Who | undefined;
  readonly discovery: OAuthDiscoveryState | undefined;
  readonly verifier: string;
}

/** Longest text that is kept of a login, characters: it is read with each request. */
const MOST = 128 * 1024;

/** Tokens that are remembered as refused. */
const MOST_REFUSED = 10;

/** A login by the person's browser, with a client that registers itself, or is known already. Tokens outlive the window; they go to their server alone. */
export function createLogin(port: LoginPort): Login {
  const { url, redirect, client: own, scope, shared } = port;
  const none: Kept = { url, redirect, ...defined({ clientId: own?.clientId, issuer: own?.issuer, scope }) };
  let known: Promise<Kept> | undefined;
  /** As it was read last. */
  let latest = none;
  let wantsKey = false;
  let making: Promise<void> | undefined;
  let session: { readonly of: string; readonly opened: Promise<DpopSession | undefined> } | undefined;
  let page: (Sent & { readonly to: URL }) | undefined;
  /** Who we are to the authorization server just now: another program may register itself meanwhile. */
  let who: Who | undefined;
  /** Where the person has come back from with what is not used yet. */
  let back: Sent | undefined;
  /** What the server said last of its login. */
  let discovery: OAuthDiscoveryState | undefined;
  /** Of pages that are about to be named: calls that are refused at one moment each have one. */
  const verifiers = new Map<string, string>();
  /** Somebody has logged in since a page was named. */
  let isOver = false;
  /** What requests that were refused had as their token, the last ones. */
  const refused = new Set<string>();
  /** The tokens that were asked for last. */
  let given: StoredOAuthTokens | undefined;

  const kept = async (): Promise<Kept> => {
    if (shared) known = undefined;
    known ??= port.read().then((text) => keptOf(text, none) ?? none);
    latest = await known;
    return latest;
  };
  const keep = async (change: (before: Kept) => Kept): Promise<void> => {
    const next = change(await kept());
    const text = JSON.stringify(next);
    if (text.length > MOST) throw new Error('what the server gives for a login is too long to be kept');
    known = Promise.resolve(next);
    latest = next;
    await port.keep(text);
  };
  const keepKey = async (): Promise<void> => {
    const made = await newDpopKey();
    await keep((before) => ({ ...before, dpop: before.dpop ?? made }));
  };

  /** Nothing can be done with its tokens without it. */
  const dropKey = async (damaged: string): Promise<undefined> => {
    port.warn?.('the key that its tokens are bound to is damaged: there will be a new one, and a new login');
    wantsKey = true;
    await keep(({ dpop, tokens, ...before }) =>
      JSON.stringify(dpop) === damaged ? before : { ...before, ...defined({ dpop, tokens }) },
    );
  };
  const openedKey = async (): Promise<DpopSession | undefined> => {
    if (!latest.dpop && !wantsKey) return undefined;
    if (!latest.dpop) {
      making ??= keepKey().finally(() => {
        making = undefined;
      });
      await making;
    }
    const key = latest.dpop;
    if (!key) return undefined;
    const of = JSON.stringify(key);
    if (session?.of !== of) session = { of, opened: openDpop(key).catch(() => dropKey(of)) };
    return await session.opened;
  };

  const saveClientInformation = (client: StoredOAuthClientInformation) => {
    who = { client, redirect };
    return keep(({ tokens, dpop }) => ({ url, redirect, client, ...defined({ scope, tokens, dpop }) }));
  };

  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'Parley',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: new URL(redirect).protocol === 'https:' ? 'web' : 'native',
      ...defined({ scope }),
    },
    state: () => randomBytes(32).toString('base64url'),
    async clientInformation(at) {
      if (own) return ownClientAt(own, at?.issuer);
      who = back?.as ?? whoIn(await kept(), redirect);
      return who?.client;
    },
    // Where there is nothing to register, the SDK would say on the console each time that it was not registered by it.
    ...(own ? {} : { saveClientInformation }),
    addClientAuthentication: clientAuthentication(() =>
      own ? { ...ownClientAt(own, undefined), ...defined({ client_secret: own.clientSecret }) } : who?.client,
    ),
    tokens: async () => {
      given = (await kept()).tokens;
      return given;
    },
    async saveTokens(tokens) {
      // Kept, it would fail each request from then on, in words that say it.
      if (!isSendable(tokens.access_token)) throw new Error('the server gave a token that cannot be sent');
      await keep((before) => ({ ...before, ...who, tokens }));
      page = undefined;
      isOver = true;
    },
    // The SDK has just asked for the tokens: most have no key, and are read once for each request. One that is damaged gives way to another.
    dpop: async () => (await openedKey()) ?? (await openedKey()),
    codeVerifier: () => back?.verifier ?? '',
    saveCodeVerifier: (verifier) => {
      verifiers.set(challengeOf(verifier), verifier);
    },
    // A server may move to another authorization server: what it says is read anew each time, where it has said that it stands. But what the
    // person brings back from a page is for who sent them there.
    discoveryState: () =>
      back?.discovery ??
      (discovery && {
        authorizationServerUrl: '',
        ...defined({ resourceMetadataUrl: discovery.resourceMetadataUrl }),
      }),
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'client') back = undefined;
      return keep(({ client, tokens, ...before }) => ({
        ...before,
        ...(client && what !== 'all' && what !== 'client' ? { client } : {}),
        // Another program may have got others meanwhile: nothing was said of those.
        ...(tokens && (!isOfTokens(what) || tokens.access_token !== given?.access_token) ? { tokens } : {}),
      }));
    },
    // The person may take their time: nothing that waits for the server waits for them.
    async redirectToAuthorization(to) {
      const challenge = to.searchParams.get('code_challenge') ?? '';
      const verifier = verifiers.get(challenge) ?? '';
      verifiers.delete(challenge);
      const at = back?.discovery ?? discovery;
      // Said otherwise to another call meanwhile: a code would go where it is not from.
      if (at && !isPageOf(at, to)) throw new Error('the server named two places for its login at one moment');
      if (scope !== undefined) to.searchParams.set('scope', askedIn(to, scope));
      const { tokens } = await kept();
      // Somebody has logged in since the request was made that was refused.
      isOver = tokens !== undefined && !refused.has(tokens.access_token);
      page = isOver ? undefined : { to, as: who, discovery: at, verifier };
    },
  };
  return {
    provider,
    ...defined({ turn: port.turn }),
    watched: (fetch) => async (input, init) => {
      const response = await fetch(input, init);
      wantsKey ||= wantsDpop(response);
      if (response.status === 401 || response.status === 403) {
        const [, token = ''] = (new Headers(init?.headers).get('authorization') ?? '').split(' ');
        const [oldest] = refused.add(token);
        if (refused.size > MOST_REFUSED && oldest !== undefined) refused.delete(oldest);
      }
      return response;
    },
    asking: (fetch) =>
      refusedOnce(fetch, {
        isOwn: own !== undefined,
        forgetClient: async () => await provider.invalidateCredentials?.('client'),
      }),
    async answer(signal) {
      const asked = page;
      page = undefined;
      if (!asked && isOver) return undefined;
      if (!asked) throw new Error('the server asked for a login, and named no page for it');
      const answer = await port.send(asked.to, asked.to.searchParams.get('state') ?? '', signal);
      back = asked;
      return inShort(answer);
    },
    used() {
      back = undefined;
    },
  };
}

/** Who sends the person back is a stranger, whose words somebody reads where the login was refused. */
function inShort(answer: URLSearchParams): URLSearchParams {
  const short = new URLSearchParams(answer);
  for (const name of ['error', 'error_description'])
    if (short.has(name)) short.set(name, asLabel(short.get(name) ?? '', 300));
  return short;
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Whether an authorization server has this page for logins. */
function isPageOf({ authorizationServerUrl, authorizationServerMetadata }: OAuthDiscoveryState, page: URL) {
  const { authorization_endpoint: named } = authorizationServerMetadata ?? {};
  const { origin, pathname } = new URL(named ?? '/authorize', authorizationServerUrl);
  return page.origin === origin && page.pathname === pathname;
}

/** What a page is asked for, with the refresh of it that the SDK asks for where there is one. */
function askedIn(page: URL, scope: string): string {
  const named = (page.searchParams.get('scope') ?? '').split(' ');
  const refresh = [REFRESH].filter((one) => named.includes(one) && !scope.split(' ').includes(one));
  return [scope, ...refresh].join(' ');
}

/** OpenID Connect Core, 11 */
const REFRESH = 'offline_access';

/** Registered with another address than ours it can go on, but not log in anew. */
function whoIn({ client, tokens, redirect }: Kept, own: string): Who | undefined {
  if (!client || (redirect !== own && tokens?.refresh_token === undefined)) return undefined;
  return { client, redirect };
}

function isOfTokens(what: string): boolean {
  return what === 'all' || what === 'tokens';
}

/** Tokens of another server, or of another client, are not used, and nothing that is damaged is. */
function keptOf(text: string | undefined, { url, clientId, issuer, scope }: Kept): Kept | undefined {
  try {
    const kept: Kept = JSON.parse(text ?? '');
    const isOurs = isObject(kept) && kept.url === url && kept.clientId === clientId && kept.issuer === issuer;
    if (!isOurs || typeof kept.redirect !== 'string') return undefined;
    const { client, tokens, scope: asked, ...rest } = kept;
    // The tokens are for what was asked for then.
    const isFor = asked === scope && isText(tokens?.access_token) && isSendable(tokens.access_token);
    return {
      ...rest,
      ...(isText(client?.client_id) ? { client } : {}),
      ...(isFor ? { tokens } : {}),
      ...defined({ scope }),
    };
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
