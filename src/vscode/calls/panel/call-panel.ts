import type { Operation } from 'effection';
import type * as vscode from 'vscode';
import type { JsonObject, JsonSchema } from '../../../core/messages/json.ts';
import type { GuestPages } from '../../../panel/guest-pages.ts';
import type { Inbox } from '../../../panel/inbox.ts';
import type { PanelStore } from '../../../panel/panel-store.ts';
import type { CallInfo } from '../../../panel-port/index.ts';
import type { WindowColumn } from './window.ts';

/** Makes the run panel of a call. */
export type NewPanel = (options: PanelOptions) => CallPanel;

/** What a panel is about, and what the person does in it beside answering. */
export interface PanelOptions {
  readonly toolName: string;
  readonly title: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly server?: string | undefined;
  readonly asker?: CallInfo['asker'];
  /** Of the parameters of its tool, where that is known. */
  schema?(): JsonSchema | undefined;
  onStop(): void;
  onAction(id: string): void;
  /** Its call is of an earlier window: it has a window when the person or the editor opens one. */
  readonly ofEarlierWindow?: boolean;
  /** The person wants to answer an earlier question again. */
  onGoBack(askId: string): void;
  /** The person closed its window. */
  onClosed(): void;
  /** What the page of an earlier window left. */
  readonly memory?: JsonObject | undefined;
  /** What its page wants to find again in a window to come. */
  onMemory?(memory: JsonObject): void;
}

/**
 * The run panel of one call. It outlives its window: closed, it can be opened again and shows the same, with what was typed;
 * a question that was open still is.
 */
export interface CallPanel {
  readonly store: PanelStore;
  readonly inbox: Inbox;
  /** Is its window the one that the person sees in its column? */
  readonly visible: boolean;
  /** Is there a window? */
  readonly open: boolean;
  /** Did the person close it? Then nothing but the person opens it again. */
  readonly closedByPerson: boolean;
  /** Was its window opened without the person asking for it, then or since? */
  readonly openedInBackground: boolean;
  /** Has the person ever had the keyboard in it, or asked for it? */
  readonly lookedAt: boolean;
  /** Opens it there or reveals it, with the keyboard, because the person asked for it. */
  show(place?: WindowColumn): void;
  /** Where its window is; nothing without one. */
  readonly place: { readonly column: number; readonly active: boolean } | undefined;
  /** Shows itself in a window that the editor has brought back. */
  adopt(window: vscode.WebviewPanel): void;
  /** Opens it without the keyboard where a window of it was, behind which is nobody any more. */
  replace(column: number): void;
  /** Returns when the person can see it, or nobody will: it is closed, or does not come in two seconds. */
  inSight(): Operation<void>;
  /** Opens it without the keyboard, unless it is open or the person closed it. */
  showInBackground(place: WindowColumn): void;
  /** Closes the window as if the person had. */
  close(): void;
  /** Pages of this call that others show. */
  readonly guests: GuestPages;
  /** Calls back when it was opened, closed, shown or hidden. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}
