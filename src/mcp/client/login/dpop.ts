import type { DpopSession } from '@modelcontextprotocol/client';

/** The key that tokens of a login are bound to (DPoP, RFC 9449), as it is kept beside them. */
export interface DpopKey {
  readonly jwk: { readonly kty: string; readonly crv: string } & Readonly<Record<'x' | 'y' | 'd', string>>;
  readonly thumbprint: string;
}

/** What the SDK makes by itself. */
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNED = { name: 'ECDSA', hash: 'SHA-256' };

/** Whether a refusal says that only tokens with a key are taken. An authorization server that could give some is no reason: few servers know them. */
export function wantsDpop(refused: Response): boolean {
  const said = refused.headers.get('www-authenticate') ?? '';
  return refused.status === 401 && /(?:^|,)\s*dpop(?:[\s,]|$)/i.test(said);
}

/** Makes a key that can be kept. */
export async function newDpopKey(): Promise<DpopKey> {
  const { generateDpopKeyPair } = await import('@modelcontextprotocol/client');
  const { privateKey, thumbprint } = await generateDpopKeyPair({ alg: 'ES256', extractable: true });
  const jwk = await crypto.subtle.exportKey('jwk', privateKey);
  return { jwk: jwk as DpopKey['jwk'], thumbprint };
}

/** What signs requests with a key that was kept. @throws where it is damaged */
export async function openDpop({ jwk, thumbprint }: DpopKey): Promise<DpopSession> {
  const sdk = await import('@modelcontextprotocol/client');
  const { kty, crv, x, y } = jwk;
  const publicJwk = { kty, crv, x, y };
  const privateKey = await crypto.subtle.importKey('jwk', jwk, CURVE, false, ['sign']);
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, CURVE, true, ['verify']);
  // Two halves of different keys are read as well, and no server takes what they sign.
  const text = new TextEncoder().encode(thumbprint);
  const signature = await crypto.subtle.sign(SIGNED, privateKey, text);
  const isWhole = await crypto.subtle.verify(SIGNED, publicKey, signature, text);
  if (!isWhole || thumbprint !== (await thumbprintOf(publicJwk))) throw new Error('the key is damaged');
  return await sdk.DpopSession.create({
    keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256' },
  });
}

/** As RFC 7638 has it. */
async function thumbprintOf({ crv, kty, x, y }: Omit<DpopKey['jwk'], 'd'>): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }));
  return Buffer.from(await crypto.subtle.digest('SHA-256', text)).toString('base64url');
}
