import { createSignal, type Operation, type Signal, useScope } from 'effection';
import type { ExtensionContext } from 'vscode';
import { callContext } from '../core/world/call-context.ts';
import { createEdge, type Edge } from './bridge.ts';
import type { Log } from './log/log.ts';

/** Where VS Code calls in. `main.ts` sets it, as the three below, before anything else: whatever runs beneath has them. */
export const EdgeContext = callContext<Edge>('parley.edge');

/** Where the extension writes what it does. */
export const LogContext = callContext<Log>('parley.log');

/** What VS Code gave Parley when it started it: its folder, its storage, its secrets. */
export const ExtensionHome = callContext<ExtensionContext>('parley.home');

/** Told when the page of a run panel gets the keyboard, whether the person or the editor has given it. */
export const PanelKeyboardContext = callContext<Signal<void, never>>('parley.panel-keyboard', createSignal());

/** Whether the extension is about to end. */
export const LeavingContext = callContext<() => boolean>('parley.leaving', () => false);

/** The edge of this window. */
export function useEdge(): Operation<Edge> {
  return EdgeContext.expect();
}

/** An edge of the caller's: what is started there ends with the caller. */
export function* useOwnEdge(): Operation<Edge> {
  const log = yield* useLog();
  return createEdge(yield* useScope(), (what, error) => log.error(`Failed: ${what}`, error));
}

/** The log of this window. */
export function useLog(): Operation<Log> {
  return LogContext.expect();
}

/** Says whether the extension is about to end, as a rule because its window closes. */
export function useLeaving(): Operation<() => boolean> {
  return LeavingContext.expect();
}

/** Tells when the page of a run panel gets the keyboard. */
export function usePanelKeyboard(): Operation<Signal<void, never>> {
  return PanelKeyboardContext.expect();
}

/** What VS Code gave Parley when it started it. */
export function useExtension(): Operation<ExtensionContext> {
  return ExtensionHome.expect();
}

/** The version of this Parley, for those who are told. */
export function versionOfParley({ extension }: ExtensionContext): string {
  return String((extension.packageJSON as { version?: unknown }).version ?? '0');
}
