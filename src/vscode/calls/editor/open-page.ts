import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type Opener, openPageWith, seenFrom } from './page-opener.ts';

/** Opens a page in the person's browser; false when it was not opened. */
export function openPage(url: string): Operation<boolean> {
  const { env } = vscode;
  // A `Uri` is decoded and encoded anew, which breaks signed addresses. The editor takes text as it is, though its types do not say so.
  const open: (address: never) => Thenable<boolean> = env.openExternal;
  return openPageWith({ ...browser(), open: async (href) => await open(href as never) }, url);
}

/** An address of the machine that the extension runs on, as the person's browser reaches it. */
export function seenFromBrowser(url: string): Operation<string> {
  return seenFrom(browser(), new URL(url));
}

function browser(): Pick<Opener, 'isElsewhere' | 'forward'> {
  const { env, Uri, UIKind } = vscode;
  return {
    isElsewhere: env.remoteName !== undefined || env.uiKind === UIKind.Web,
    forward: async (origin) => (await env.asExternalUri(Uri.parse(origin))).toString(true),
  };
}
