import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isLoopback } from '../../../core/page/page-address.ts';
import { defined } from '../../../core/schema/defined.ts';
import { ServersFileError } from './servers-file-error.ts';
import { ALGORITHMS, type Algorithm, readSigningKey } from './signing-key.ts';

/** Who we are to an authorization server where people log in, with a client that somebody has registered by hand. */
export interface OwnClient {
  /** An https address is that of a metadata document. */
  readonly clientId: string;
  /** The authorization server that it is for: whatever a server names for its login, it counts nowhere else. */
  readonly issuer?: string;
  /** There is none without an issuer. */
  readonly clientSecret?: string;
}

/** What logs in at an authorization server without a person. */
export interface Credentials {
  /** The authorization server that they are for: whatever a server names for its login, they go nowhere else. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scope?: string;
  readonly proof: Proof;
}

/** How a client proves who it is. Keys and tokens are texts, or paths of files that are read at each login. */
export type Proof =
  | { readonly kind: 'secret'; readonly clientSecret: string }
  | { readonly kind: 'key'; readonly privateKey: string; readonly algorithm?: Algorithm }
  /** What runs it says who it is: a workload's identity. */
  | { readonly kind: 'assertion'; readonly assertion: string; readonly clientSecret?: string }
  /** Somebody has logged in at an identity provider, which vouches for them. */
  | { readonly kind: 'idToken'; readonly idToken: string; readonly clientSecret: string; readonly idp: Idp };

/** Where an ID token is from, and who we are there. */
export interface Idp {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret?: string;
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Fields that may hold a secret: where they are shown, they are shown as variables and paths alone. */
export const SECRET_FIELDS = [
  'clientSecret',
  'privateKey',
  'assertion',
  'idToken',
  'idpClientSecret',
] as const;

/** Who we are, to whom, and what for: every login has a use for it. */
const WHO = ['clientId', 'issuer', 'clientSecret', 'scope'];

/** What a login has a use for, by its grant type; without one it is that of a person. */
const USED: Readonly<Record<string, readonly string[]>> = {
  '': WHO,
  client_credentials: ['grantType', ...WHO, 'privateKey', 'algorithm'],
  [JWT_BEARER]: [
    'grantType',
    ...WHO,
    'assertion',
    'idToken',
    'idpTokenEndpoint',
    'idpClientId',
    'idpClientSecret',
  ],
};

/** The field `oauth` of an entry, as it is written. Made when a file is read. */
export function oauthSchema() {
  return z.looseObject({
    clientId: z.optional(z.string()),
    grantType: z.optional(z.enum(['client_credentials', JWT_BEARER])),
    issuer: z.optional(z.string()),
    scope: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
    privateKey: z.optional(z.string()),
    algorithm: z.optional(z.enum(ALGORITHMS)),
    assertion: z.optional(z.string()),
    idToken: z.optional(z.string()),
    idpTokenEndpoint: z.optional(z.string()),
    idpClientId: z.optional(z.string()),
    idpClientSecret: z.optional(z.string()),
  });
}

/** The field as it is written, or with its variables filled in. */
export type OAuthField = z.infer<ReturnType<typeof oauthSchema>>;

const TEXTS = [
  'clientId',
  'grantType',
  'issuer',
  'scope',
  'algorithm',
  'idpTokenEndpoint',
  'idpClientId',
  ...SECRET_FIELDS,
] as const;

/** The texts of the field that are known here, in the order in which a person reads them. */
export function oauthTexts(oauth: OAuthField | undefined): readonly (readonly [string, string])[] {
  return TEXTS.flatMap((name) => {
    const value = oauth?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** What of the field an entry has. @throws `ServersFileError` */
export function readOAuth(
  oauth: OAuthField,
  at: (field: string) => string,
): { readonly client?: OwnClient; readonly scope?: string; readonly credentials?: Credentials } {
  const fields = new Fields(oauth, at);
  const { grantType } = oauth;
  for (const [name, value] of oauthTexts(oauth))
    if (value === '')
      throw fields.wrong(name, 'it is empty. Leave it out, or give the one that you have registered');
  const used = USED[grantType ?? ''] ?? [];
  const unused = TEXTS.find((name) => oauth[name] !== undefined && !used.includes(name));
  if (unused !== undefined)
    throw fields.wrong(
      unused,
      grantType === undefined
        ? 'it is for a login without a person. Write which "grantType", too'
        : `${grantType} has no use for it`,
    );
  if (grantType === undefined) return defined({ client: ownClientOf(fields), scope: scopeIn(fields) });
  return {
    credentials: {
      issuer: fields.address('issuer'),
      clientId: fields.needed('clientId'),
      ...defined({ scope: scopeIn(fields) }),
      proof: grantType === JWT_BEARER ? bearerOf(fields) : clientOf(fields),
    },
  };
}

/** A server that somebody else runs names where to log in: so a secret goes where the entry says, and nowhere else. */
function ownClientOf(fields: Fields): OwnClient | undefined {
  const { clientId, clientSecret, issuer } = fields.oauth;
  if (clientId === undefined && clientSecret === undefined && issuer === undefined) return undefined;
  const client = { clientId: fields.needed('clientId') };
  if (clientSecret === undefined && issuer === undefined) return client;
  return { ...client, issuer: fields.address('issuer'), ...defined({ clientSecret }) };
}

/** RFC 6749, 3.3 */
function scopeIn(fields: Fields): string | undefined {
  const { scope } = fields.oauth;
  if (scope !== undefined && !/^[!#-[\]-~]+( [!#-[\]-~]+)*$/.test(scope))
    throw fields.wrong(
      'scope',
      'it is not a list of words separated by one space, such as "files.read files.write"',
    );
  return scope;
}

function clientOf(fields: Fields): Proof {
  const { privateKey, clientSecret, algorithm } = fields.oauth;
  if (privateKey === undefined) return { kind: 'secret', clientSecret: fields.needed('clientSecret') };
  if (clientSecret !== undefined)
    throw fields.wrong('privateKey', 'there is a clientSecret, too. Keep one of them');
  try {
    if (!isAbsolute(privateKey)) readSigningKey(privateKey, algorithm);
  } catch (cause) {
    throw fields.wrong('privateKey', `${(cause as Error).message}, and not the absolute path of its file`);
  }
  return { kind: 'key', privateKey, ...defined({ algorithm }) };
}

function bearerOf(fields: Fields): Proof {
  const { idToken, assertion, clientSecret, idpClientSecret } = fields.oauth;
  if (idToken === undefined)
    return { kind: 'assertion', assertion: fields.token('assertion'), ...defined({ clientSecret }) };
  if (assertion !== undefined) throw fields.wrong('idToken', 'there is an assertion, too. Keep one of them');
  return {
    kind: 'idToken',
    idToken: fields.token('idToken'),
    clientSecret: fields.needed('clientSecret'),
    idp: {
      tokenEndpoint: fields.address('idpTokenEndpoint'),
      clientId: fields.needed('idpClientId'),
      ...defined({ clientSecret: idpClientSecret }),
    },
  };
}

/** Whether a text is a signed token, by its looks. */
export function isJwt(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

class Fields {
  readonly oauth: OAuthField;
  readonly #at: (field: string) => string;

  constructor(oauth: OAuthField, at: (field: string) => string) {
    this.oauth = oauth;
    this.#at = at;
    for (const name of ['clientSecret', 'idpClientSecret'] as const)
      if (!/^[\x20-\x7e]*$/.test(oauth[name] ?? ''))
        throw this.wrong(name, 'it has a sign that no secret has, such as the end of a line');
  }

  /** Says nothing of what stands there. */
  wrong(field: string, why: string): ServersFileError {
    return new ServersFileError(`${this.#at(`oauth.${field}`)}: ${why}`);
  }

  needed(field: (typeof TEXTS)[number]): string {
    const value = this.oauth[field];
    const whose = this.oauth.grantType ?? (field === 'issuer' ? 'a clientSecret' : 'a client of your own');
    if (value === undefined) throw this.wrong(field, `it is missing, and ${whose} needs it`);
    return value;
  }

  address(field: 'issuer' | 'idpTokenEndpoint'): string {
    const address = this.needed(field);
    if (URL.canParse(address)) {
      const { protocol, hostname } = new URL(address);
      if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return address;
    }
    throw this.wrong(field, 'it is not an https address');
  }

  /** A token, or the path of its file. */
  token(field: 'assertion' | 'idToken'): string {
    const text = this.needed(field);
    if (isJwt(text) || isAbsolute(text)) return text;
    throw this.wrong(field, 'it is neither a token (JWT) nor the absolute path of its file');
  }
}
