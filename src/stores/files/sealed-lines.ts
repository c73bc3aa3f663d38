import { type KeyObject, randomBytes } from 'node:crypto';
import { StoreDamagedError, StoreKeyError, StoreVersionError } from '../../core/errors/store-errors.ts';
import type { KeyRing } from '../../runtime/data/key-ring.ts';
import { seal, TAG_BYTES, unseal } from '../../runtime/data/seal.ts';

const VERSION = '1';
const HEAD = /^parley-log (\S{1,20})(?: (.*))?$/;
const KEY = /^([\w-]{8}) ([\w-]{22})$/;
const LINE = /^(\d+) (\d+) ([\w-]*)$/;

/** Where the next line goes, and the tag of the line before it, which it is bound to. */
export interface Tail {
  readonly position: number;
  readonly tag: string;
}

/** Where the first line goes. */
export const START: Tail = { position: 0, tag: '' };

/** The first line of a new file: format, key, and a salt of its own. */
export function newHead(ring: KeyRing): string {
  return `parley-log ${VERSION} ${ring.current} ${randomBytes(16).toString('base64url')}`;
}

/**
 * The key of one file. It is of that file and that use alone: lines moved anywhere else do not open.
 *
 * @throws `StoreVersionError`, `StoreKeyError`, `StoreDamagedError`
 */
export function keyOf(head: string, ring: KeyRing, use: string, where: string): KeyObject {
  const [, version, rest = ''] = HEAD.exec(head) ?? [];
  if (version === undefined) throw new StoreDamagedError(where, 'its first line is not one of Parley');
  if (version !== VERSION) throw new StoreVersionError(where, version, VERSION);
  const [, id = '', salt = ''] = KEY.exec(rest) ?? [];
  const key = ring.derive(id, Buffer.from(salt, 'base64url'), use);
  if (!key) throw new StoreKeyError(where);
  return key;
}

/** One line, with its end, and where the next one goes. */
export function sealLine(
  key: KeyObject,
  at: Tail,
  value: unknown,
): { readonly text: string; readonly tail: Tail } {
  const sealed = seal(key, Buffer.from(JSON.stringify(value)), bound(at));
  const body = sealed.toString('base64url');
  return {
    // The length tells a line that was cut from one that was changed.
    text: `${at.position} ${body.length} ${body}\n`,
    tail: { position: at.position + 1, tag: tagOf(sealed) },
  };
}

/** What lines hold, up to where they end whole. */
export interface OpenedLines {
  readonly values: readonly unknown[];
  /** Where each of them begins, and where the next one goes. */
  readonly tails: readonly [Tail, ...Tail[]];
}

/**
 * Opens the lines of a file.
 *
 * Several processes may have appended. A line counts when it is the next one and bound to the one before it, so of two
 * that were written for one place the first counts, and everybody who reads agrees. A line that was cut, by a crash or a full
 * disk, was never acknowledged: it is left out. Anything else that does not open has been changed.
 *
 * @throws `StoreDamagedError`
 */
export function openLines(key: KeyObject, text: string, where: string): OpenedLines {
  const values: unknown[] = [];
  const tails: [Tail, ...Tail[]] = [START];
  let changed: number | undefined;
  for (const line of text.split('\n')) {
    const [, at, length, body = ''] = LINE.exec(line) ?? [];
    if (at === undefined || Number(length) > body.length) continue;
    const place = tails[Number(at)];
    const sealed = Buffer.from(body, 'base64url');
    const plain = place && unseal(key, sealed, bound(place));
    if (!place || !plain) {
      changed ??= Number(at);
    } else if (place === tails.at(-1)) {
      values.push(JSON.parse(plain.toString('utf8')));
      tails.push({ position: place.position + 1, tag: tagOf(sealed) });
      changed = undefined;
    }
  }
  if (changed !== undefined)
    throw new StoreDamagedError(where, `line ${changed + 2} has been changed or is missing`);
  return { values, tails };
}

function bound({ position, tag }: Tail): string {
  return `${position} ${tag}`;
}

function tagOf(sealed: Buffer): string {
  return sealed.subarray(-TAG_BYTES).toString('base64url');
}
