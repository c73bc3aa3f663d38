import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ensure, type Operation, sleep, until } from 'effection';
import * as vscode from 'vscode';
import { callKey } from '../../../runtime/journal/call-key.ts';
import type { OpenWindow } from '../../../stores/open-windows.ts';
import { fromThenable } from '../../bridge.ts';
import { useLog } from '../../contexts.ts';
import type { CallDesk } from '../desk.ts';
import type { Lazy } from '../lazy.ts';
import type { OtherCall } from './other-call.ts';
import type { WindowInbox } from './window-inbox.ts';

/** Until the first look: what starts the editor comes first. Milliseconds. */
const FIRST = 1_000;
/** Between two looks at whether something was written, while nothing is listed, and while something is. */
const IDLE = 500;
const LISTED = 50;
/** A program that was killed writes nothing any more. */
const DEAD = 5_000;

/** Lists what waits for the person in other programs, for as long as it does. A look is at the times of two files; nothing is opened before there is something. */
export function* listOthers(inbox: WindowInbox, desk: Lazy<Pick<CallDesk, 'listOther'>>): Operation<never> {
  const log = yield* useLog();
  const listed = new Map<string, OtherCall>();
  let window: OpenWindow | undefined;
  let cannotBeFound = false;
  yield* ensure(() => window?.close());
  /** Calls that this window is to ask, of which it has not read yet. */
  const toAsk = new Set<string>();
  let wasFocused = false;
  let written = '';
  let looked = 0;
  function* look(): Operation<void> {
    const store = yield* inbox.store();
    if (!store) return;
    const { PersonCalls } = yield* fromThenable(import('../../../calls/person-calls.ts'));
    const people = new PersonCalls(store, inbox.program);
    const found = new Map((yield* people.list()).map((call) => [callKey(call.name), call]));
    for (const [key, other] of listed) {
      if (found.has(key)) continue;
      listed.delete(key);
      other.gone();
    }
    for (const [key, call] of found) {
      const known = listed.get(key);
      if (known) known.update(call);
      else listed.set(key, (yield* desk()).listOther(call, people));
      if (toAsk.delete(call.name.callId)) listed.get(key)?.asked();
    }
  }
  /** Other programs find this window, and its folders. */
  function* beThere(): Operation<void> {
    if (cannotBeFound) return;
    try {
      window ??= new (yield* fromThenable(import('../../../stores/open-windows.ts'))).OpenWindow(
        inbox.folder,
      );
      window.has((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath));
      const { focused } = vscode.window.state;
      if (focused && !wasFocused) window.isLookedAt();
      wasFocused = focused;
    } catch (error) {
      cannotBeFound = true;
      log.warn('Programs in terminals cannot find this window', error);
    }
  }
  let took = 0;
  // Where there is much to look through, that is not all that this window does.
  for (let pause = FIRST; ; pause = Math.max(listed.size > 0 ? LISTED : IDLE, 9 * took)) {
    yield* sleep(pause);
    took = 0;
    yield* beThere();
    const now = yield* until(writtenIn(inbox.folder, window?.asked));
    const isDue = listed.size > 0 && performance.now() - looked >= DEAD;
    if (now === written && !isDue) continue;
    written = now;
    looked = performance.now();
    try {
      for (const callId of now === '' ? [] : (window?.calls() ?? [])) toAsk.add(callId);
      if (now !== '') yield* look();
    } catch (error) {
      log.warn('What waits in other programs cannot be read', error);
    }
    took = performance.now() - looked;
  }
}

/** When something was last written there; an empty text where nothing ever was. */
async function writtenIn(folder: string, asked = ''): Promise<string> {
  const files = [join(folder, 'calls.db'), join(folder, 'calls.db-wal'), asked];
  const times = await Promise.all(
    files.map(async (file) => {
      try {
        const { mtimeMs, size } = await stat(file);
        return `${mtimeMs} ${size}`;
      } catch {
        return '';
      }
    }),
  );
  return times.join(' ').trim();
}
