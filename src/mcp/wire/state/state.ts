import { hash, randomBytes } from 'node:crypto';
import { canonical } from './bound.ts';

const SHAPE = /^s1\.([\w-]+)\.([\w-]{22})$/;

/** A state: which call, and a name for its next round that only its client has. Everything else is with the call. */
export function newRound(callId: string): string {
  return `s1.${Buffer.from(callId).toString('base64url')}.${randomBytes(16).toString('base64url')}`;
}

/** The call of a state; `undefined` for what is none of these. */
export function callOf(state: unknown): string | undefined {
  const [, id] = (typeof state === 'string' && state.length < 1024 ? SHAPE.exec(state) : undefined) ?? [];
  return id === undefined ? undefined : Buffer.from(id, 'base64url').toString('utf8');
}

/** A digest of JSON that does not depend on the order of keys. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonical(value), 'base64url');
}
