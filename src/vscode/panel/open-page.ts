import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { isLoopback, readPageAddress } from '../../core/page/page-address.ts';
import { fromThenable } from '../bridge.ts';

/**
 * Opens a page in the person's browser: `https:`, or a page of the machine that the extension runs on, which is forwarded where
 * that is another one than the person's. False when the person, or the system, did not open it.
 */
export function* openPage(url: string): Operation<boolean> {
  const read = readPageAddress(url);
  if (!read.ok) return false;
  const { address } = read;
  const isHere = isLoopback(address.hostname) && isElsewhere();
  return yield* openAsItIs(isHere ? yield* forwarded(address) : address.href);
}

function isElsewhere(): boolean {
  return vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
}

/** Only the origin is forwarded: a `Uri` would write the rest of the address anew. */
function* forwarded({ origin, pathname, search, hash }: URL): Operation<string> {
  const external = yield* fromThenable(vscode.env.asExternalUri(vscode.Uri.parse(origin)));
  const base = external.toString(true).replace(/\/$/, '');
  return `${base}${pathname}${search}${hash}`;
}

// A `Uri` is decoded and encoded anew, which breaks signed addresses. The editor takes text as it is, though its types do not say so.
function openAsItIs(href: string): Operation<boolean> {
  const open: (address: never) => Thenable<boolean> = vscode.env.openExternal;
  return fromThenable(open(href as never));
}
