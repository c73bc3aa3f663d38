import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isLoopback } from '../../../core/page/page-address.ts';
import { defined } from '../../../core/schema/defined.ts';
import { ServersFileError } from './servers-file-error.ts';
import { ALGORITHMS, type Algorithm, readSigningKey } from './signing-key.ts';

/** What logs in at an authorization server without a person. */
export interface Credentials {
  /** The authorization server that they are for: whatever a server names for its login, they go nowhere else. */
  readonly issuer: string;
  readonly clientId: string;
  readonly scope?: string;
  readonly proof: Proof;
}

/** How a client proves who it is. */
export type Proof =
  | { readonly kind: 'secret'; readonly clientSecret: string }
  /** A key in PEM, or the path of its file, which is read at each login. */
  | { readonly kind: 'key'; readonly privateKey: string; readonly algorithm?: Algorithm };

/** Fields that may hold a secret: where they are shown, they are shown as variables and paths alone. */
export const SECRET_FIELDS: readonly string[] = ['clientSecret', 'privateKey'];

/** The field `oauth` of an entry, as it is written. Made when a file is read. */
export function oauthSchema() {
  return z.looseObject({
    clientId: z.optional(z.string()),
    grantType: z.optional(z.enum(['client_credentials'])),
    issuer: z.optional(z.string()),
    scope: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
    privateKey: z.optional(z.string()),
    algorithm: z.optional(z.enum(ALGORITHMS)),
  });
}

/** The fields that we know, as they are written or with their variables filled in. */
export type OAuthField = z.infer<ReturnType<typeof oauthSchema>>;

const TEXTS = [
  'clientId',
  'grantType',
  'issuer',
  'scope',
  'clientSecret',
  'privateKey',
  'algorithm',
] as const;

/** The texts of the field that are known here, in the order in which a person reads them. */
export function oauthTexts(oauth: OAuthField | undefined): readonly (readonly [string, string])[] {
  return TEXTS.flatMap((name) => {
    const value = oauth?.[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
}

/** What of the field an entry has. @throws `ServersFileError` */
export function readOAuth(
  oauth: OAuthField,
  at: (field: string) => string,
): { readonly clientId?: string; readonly credentials?: Credentials } {
  const wrong = (field: string, why: string) => new ServersFileError(`${at(`oauth.${field}`)}: ${why}`);
  for (const [name, value] of oauthTexts(oauth))
    if (value === '')
      throw wrong(name, 'it is empty. Leave it out, or give the one that you have registered');
  const { clientId, grantType, issuer, scope, clientSecret, privateKey, algorithm } = oauth;
  if (grantType === undefined) {
    const unused = SECRET_FIELDS.find((name) => oauth[name] !== undefined);
    if (unused !== undefined)
      throw wrong(unused, `it is for a login without a person. Write "grantType": "client_credentials", too`);
    return defined({ clientId });
  }
  const needed = <T>(field: string, value: T | undefined): T => {
    if (value === undefined) throw wrong(field, `it is missing, and ${grantType} needs it`);
    return value;
  };
  const shared = {
    issuer: needed('issuer', issuer),
    clientId: needed('clientId', clientId),
    ...defined({ scope }),
  };
  if (!isSafe(shared.issuer))
    throw wrong('issuer', 'it is no https address. Give that of the authorization server');
  if (clientSecret !== undefined && privateKey !== undefined)
    throw wrong('privateKey', 'there is a clientSecret, too. Keep the one that is meant');
  if (privateKey !== undefined) {
    try {
      if (!isAbsolute(privateKey)) readSigningKey(privateKey, algorithm);
    } catch (cause) {
      throw wrong('privateKey', `${(cause as Error).message}, and no absolute path of its file`);
    }
    return { credentials: { ...shared, proof: { kind: 'key', privateKey, ...defined({ algorithm }) } } };
  }
  const secret = needed('clientSecret', clientSecret);
  if (!/^[\x20-\x7e]+$/.test(secret))
    throw wrong('clientSecret', 'it has a sign that no secret has, such as the end of a line');
  return { credentials: { ...shared, proof: { kind: 'secret', clientSecret: secret } } };
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
