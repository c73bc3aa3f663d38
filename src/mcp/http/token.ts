import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new bearer token: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether two tokens are the same, in a time that depends on neither: not even on their lengths. */
export function sameToken(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}
