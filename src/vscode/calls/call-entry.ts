import type { Operation } from 'effection';
import { asLabel } from '../../core/messages/label.ts';
import { shownTitle } from '../../core/messages/readable-name.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Asker } from './asker.ts';
import type { CallRecord } from './history/kept-call.ts';
import type { CallPanel } from './panel/call-panel.ts';
import { wordsOf } from './shipped/shipped-words.ts';

/** A call as the editor lists it, from before it runs until it is cleared away. */
export interface CallEntry {
  /** Unique in this window. */
  readonly id: string;
  readonly toolName: string;
  /** Absent for a call of an earlier window that was not taken up. */
  readonly tool: AnyTool | undefined;
  readonly title: string;
  readonly asker: Asker;
  readonly panel: CallPanel;
  /** Absent while the parameters are asked for, and for a call of an earlier window that was not taken up. */
  session(): Session | undefined;
  /** What happened in it; absent while the parameters are asked for. */
  record(): CallRecord | undefined;
  /** What may become of it; only for a call of an earlier window that has not ended there. */
  waiting(): WaitingCall | undefined;
  /** Its session; a call that waits is taken up for it. */
  attach(): Operation<Session | undefined>;
  /** Does what a button of its panel does. */
  act(id: string): void;
  /** Ends the call because the person wants it; closes the form of one that has not started. */
  abort(): void;
}

/** Where a call of another program runs. */
export interface OtherPlace {
  readonly folder: string;
  /** Since when it waits, milliseconds since the epoch. */
  readonly since: number;
  /** Its program is gone: the next one may go on with it. */
  readonly isInterrupted: boolean;
  /** That is a folder of this window. */
  readonly isOfWindow: boolean;
}

/** A call of an earlier window, or of another program: its panel shows its state, and nothing of it runs until a client attaches to it. */
export interface WaitingCall {
  /** Only for one of another program, which goes on with it: here it is asked, and that is all. */
  readonly place?: OtherPlace;
  /** Sees to it, until the call runs here. */
  run(): Operation<void>;
  /** Takes it up now; waits where it cannot go on before the person has pressed a button. */
  attach(): Operation<Session>;
  /** The same for somebody elsewhere; nothing where it cannot go on. */
  takeUp(): Operation<Session | undefined>;
  /** Its caller gets its result. */
  callerIsBack(): void;
  /** Nobody who asked for it hears what comes of it. */
  isLeft(): boolean;
  /** Does what a button of its panel says; false for one that is not its own. */
  act(id: string): boolean;
  stop(): Operation<void>;
}

/** What a person calls a tool. */
export function titleOf(tool: AnyTool): string {
  return wordsOf(tool)?.title ?? shownTitle(tool);
}

/** Made once: comparing with options makes one each time, and a server may have thousands of tools. */
const inOrder = new Intl.Collator(undefined, { numeric: true });

/** Tools as people look for them: by title. */
export function byTitle<T extends { readonly tool: AnyTool }>(tools: readonly T[]): T[] {
  const titled = tools.map((one) => ({ one, title: titleOf(one.tool) }));
  return titled.sort((a, b) => inOrder.compare(a.title, b.title)).map(({ one }) => one);
}

/** Characters of a line that says what a tool does. */
const SENTENCE = 300;

/** What the tool does, in a line for people. */
export function lineFor(tool: AnyTool): string {
  return toolSummary(tool) ?? asLabel(firstSentence(tool.def.description), SENTENCE);
}

/** What the tool says to people that it does, where it does. */
export function toolSummary(tool: AnyTool): string | undefined {
  return wordsOf(tool)?.summary ?? tool.def.summary;
}

/** How a text begins: its first sentence, and at most its first line. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0] ?? '';
}

/** Whether the entry's call has ended. */
export function hasEnded(entry: CallEntry): boolean {
  return entry.panel.store.get().end !== undefined;
}

/** The button, and the command, of a call whose tool has changed. */
export const NEW_VERSION = 'continueWithNewVersion';

/** Whether the entry's call can go on with another version of its tool. */
export function hasChanged(entry: CallEntry): boolean {
  return entry.panel.store.get().pause?.actions?.some(({ id }) => id === NEW_VERSION) === true;
}

/** Whether another program has the entry's call. */
export function isOfOthers(entry: Pick<CallEntry, 'waiting'>): boolean {
  return entry.waiting()?.place !== undefined;
}

/** Whether the entry's call waits for an answer to a question. */
export function isAsking(entry: CallEntry): boolean {
  return entry.panel.store.get().question !== undefined;
}
