import { hash, type KeyObject } from 'node:crypto';
import { StoreDamagedError, StoreKeyError } from '../core/errors/store-errors.ts';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { KeyRing } from '../node/key-ring.ts';
import { seal, unseal } from '../node/seal.ts';
import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName, NewCall } from '../runtime/journal/call-store.ts';
import { noted } from './written.ts';

/** By what the parts of one call are sealed. */
export interface Seal {
  /** The digest of its name. */
  readonly id: Uint8Array;
  /** Which key. */
  readonly key: string;
  /** Drawn when the call began. */
  readonly salt: Uint8Array;
}

/** A part of a call: its name and header, its notes, or the entry, event or message of a number or name. */
export type SealedPart = 'head' | 'notes' | `${'entry' | 'event'} ${number}` | `message ${string}`;

/** Seals and opens what calls have, for one store. Names tell nothing: they are digests. */
export class Sealer {
  readonly #ring: KeyRing;
  readonly #storeId: string;
  readonly #where: string;

  constructor(ring: KeyRing, storeId: string, where: string) {
    this.#ring = ring;
    this.#storeId = storeId;
    this.#where = where;
  }

  /** The key that new calls are sealed with. */
  get current(): string {
    return this.#ring.current;
  }

  digest(text: string): Buffer {
    return hash('sha256', `${this.#storeId} ${text}`, 'buffer').subarray(0, 16);
  }

  idOf(name: CallName): Buffer {
    return this.digest(callKey(name));
  }

  /** The two ends of the parts of a call. Each is bound to its store, its call, its kind and its place. @throws `StoreKeyError` */
  of({ id, key, salt }: Seal): SealedCall {
    const call = hex(id);
    const where = `call ${call} in ${this.#where}`;
    const derived = this.#ring.derive(key, salt, `parley ${this.#storeId} ${call}`);
    if (!derived) throw new StoreKeyError({ where });
    return new SealedCall(derived, where);
  }
}

/** The parts of one call. */
export class SealedCall {
  readonly #key: KeyObject;
  readonly #where: string;

  constructor(key: KeyObject, where: string) {
    this.#key = key;
    this.#where = where;
  }

  seal(part: SealedPart, value: unknown): Buffer {
    return seal(this.#key, Buffer.from(JSON.stringify(value)), part);
  }

  /** @throws `StoreDamagedError` */
  open(part: SealedPart, sealed: Uint8Array): JsonValue {
    const plain = unseal(this.#key, sealed, part);
    if (!plain) throw this.damaged(`${part} has been changed`);
    return JSON.parse(plain.toString('utf8'));
  }

  damaged(problem: string): Error {
    return new StoreDamagedError({ where: this.#where, problem });
  }
}

/** The name and the header of a call. @throws `StoreDamagedError` */
export function headIn(
  sealed: SealedCall,
  { head }: { readonly head: Uint8Array },
): { readonly name: CallName; readonly header: JsonValue } {
  // What opens was written by `begin`.
  return sealed.open('head', head) as unknown as { readonly name: CallName; readonly header: JsonValue };
}

/** @throws `StoreDamagedError` */
export function notesIn(sealed: SealedCall, { notes }: { readonly notes: Uint8Array }): JsonObject {
  // What opens was written by `begin` or `append`.
  return sealed.open('notes', notes) as JsonObject;
}

/** The first parts of a call, sealed. */
export function sealNew(
  sealed: SealedCall,
  { name, header, notes, lines = [] }: NewCall,
): { readonly head: Buffer; readonly notes: Buffer; readonly body: Buffer | null; readonly size: number } {
  const head = sealed.seal('head', { name, header });
  const first = sealed.seal('notes', noted({}, notes));
  const body = lines.length > 0 ? sealed.seal('entry 0', lines) : null;
  return { head, notes: first, body, size: head.length + first.length + (body?.length ?? 0) };
}

/** Bytes as text. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
