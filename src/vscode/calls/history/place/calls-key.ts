import { randomBytes } from 'node:crypto';
import { type Operation, sleep, until } from 'effection';
import type { SecretStorage } from 'vscode';
import { type MakerTurn, makerTurn } from '../../../../stores/maker.ts';
import { fromThenable } from '../../../bridge.ts';

const keyName = 'parley.calls.key';

/** Milliseconds that a window has for making the key: the person may be asked for the password of the key ring. */
const PATIENCE = 60_000;

/** Milliseconds in which a window hears of what another one has stored: one that does not has secrets of its own, as another browser has. */
const HEARD = 10_000;

/** Milliseconds between two looks for a key that another window makes. */
const PAUSE = 100;

/**
 * The key that seals the calls of all windows, made once: without it nothing of a call can be read, not even by us. A window sees
 * what another has stored a little later, so storing and looking again would not do. One window makes the key, and the others wait.
 *
 * @param folder the storage that all windows share
 */
export function* useCallsKey(
  secrets: Pick<SecretStorage, 'get' | 'store'>,
  folder: string,
): Operation<Uint8Array> {
  let turn: MakerTurn | undefined;
  for (;;) {
    const kept = yield* keptKey(secrets);
    if (kept) return kept;
    turn = yield* until(makerTurn(folder, keyName, PATIENCE));
    if (turn) break;
    yield* sleep(PAUSE);
  }
  // Who had the turn before may have stored it and ended.
  const kept = yield* keptKey(secrets);
  if (kept) return kept;
  const made = randomBytes(32);
  yield* fromThenable(secrets.store(keyName, made.toString('base64')));
  yield* until(turn.made(HEARD));
  // On another machine that shares these secrets, a window may have been later.
  return (yield* keptKey(secrets)) ?? made;
}

function* keptKey(secrets: Pick<SecretStorage, 'get'>): Operation<Uint8Array | undefined> {
  const kept = yield* fromThenable(secrets.get(keyName));
  const key = kept === undefined ? undefined : Buffer.from(kept, 'base64');
  return key?.length === 32 ? key : undefined;
}
