import { hash, type KeyObject } from 'node:crypto';
import { StoreDamagedError, StoreKeyError } from '../../core/errors/store-errors.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';
import type { KeyRing } from '../../runtime/data/key-ring.ts';
import { seal, unseal } from '../../runtime/data/seal.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';

/** So many keys are remembered of those that calls are sealed with: making one costs more than sealing with it. */
const MOST_KEYS = 1_000;

/** By what the parts of one call are sealed. */
export interface Seal {
  /** The digest of its name. */
  readonly id: Buffer;
  /** Which key. */
  readonly key: string;
  /** Drawn when the call began. */
  readonly salt: Buffer;
}

/** Seals and opens what calls have, for one store. Names tell nothing: they are digests. */
export class Sealer {
  readonly #ring: KeyRing;
  readonly #storeId: string;
  readonly #where: string;
  readonly #known = new Map<string, SealedEntries>();

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

  /** The two ends of one kind of entries of a call. Each is bound to its call, its kind and its place. @throws `StoreKeyError` */
  of(by: Seal, kind: 'journal' | 'events' | 'inbox'): SealedEntries {
    const use = `parley ${kind} ${this.#storeId} ${by.id.toString('hex')}`;
    const name = `${by.key} ${by.salt.toString('base64')} ${use}`;
    const entries = this.#known.get(name) ?? this.#made(by, use);
    keepLast(this.#known, [name, entries], MOST_KEYS);
    return entries;
  }

  #made({ id, key: ofRing, salt }: Seal, use: string): SealedEntries {
    const where = `call ${id.toString('hex')} in ${this.#where}`;
    const key = this.#ring.derive(ofRing, salt, use);
    if (!key) throw new StoreKeyError(where);
    return new SealedEntries(key, where);
  }
}

/** Entries of one kind of one call. */
export class SealedEntries {
  readonly #key: KeyObject;
  readonly #where: string;

  constructor(key: KeyObject, where: string) {
    this.#key = key;
    this.#where = where;
  }

  seal(place: number | string, value: unknown): Buffer {
    return seal(this.#key, Buffer.from(JSON.stringify(value)), String(place));
  }

  /** @throws `StoreDamagedError` */
  open(place: number | string, sealed: Uint8Array): unknown {
    const plain = unseal(this.#key, sealed, String(place));
    if (!plain) throw this.damaged(`entry ${place} has been changed`);
    return JSON.parse(plain.toString('utf8'));
  }

  damaged(problem: string): Error {
    return new StoreDamagedError(this.#where, problem);
  }
}
