import type * as vscode from 'vscode';
import type { ChatEvent, PluginElicitRequestEvent } from '../../../chat/events.ts';
import { type Message, textOf } from '../../../core/messages/content.ts';
import { NO_ANSWER } from '../../../runtime/sampling/index.ts';
import type { CallEntry } from '../../calls/call-entry.ts';
import { plainText } from '../../calls/escaped-markdown.ts';
import { commands } from '../../ids.ts';
import type { ShowLinks } from './command-links.ts';

/** What showing needs to know. */
export interface ShowOptions {
  /** What a person calls the tool of this name. */
  titleOf(toolName: string): string;
  /** `vscode.l10n.t` */
  t(message: string, ...values: string[]): string;
  readonly links: ShowLinks;
  /** What this turn has shown so far. */
  readonly shown: Shown;
  /** Milliseconds. */
  now(): number;
}

/** What a turn has shown. */
export interface Shown {
  /** Calls that have their link: all questions of a call are in one panel. */
  readonly linked: Map<string, string>;
  /** When the last line of a call's progress was shown. */
  readonly progress: Map<string, number>;
}

/** A turn that has shown nothing. */
export function nothingShown(): Shown {
  return { linked: new Map(), progress: new Map() };
}

/** Milliseconds between two lines of one call's progress: the chat keeps them all. */
const APART = 10_000;

type Stream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>;

/** Shows an event of a turn in the chat. What tools say is text: the chat would read it as Markdown. */
export function showEvent(stream: Stream, event: ChatEvent, options: ShowOptions): void {
  const { t } = options;
  const titleOf = (name: string) => plainText(options.titleOf(name));
  switch (event.type) {
    case 'text':
      stream.markdown(event.text);
      break;
    case 'tool_call':
      stream.progress(t('Running {0}', titleOf(event.toolName)));
      break;
    case 'tool_progress':
      if (event.message !== '' && isDue(event.callId, options)) stream.progress(plainText(event.message));
      break;
    case 'tool_result':
      if (event.result.isError) stream.progress(t('{0} did not succeed', titleOf(event.toolName)));
      break;
    case 'history_shortened':
      stream.progress(t('The start of this chat is omitted: the chat is too long for this model'));
      break;
    case 'plugin_elicit_request':
      stream.progress(t('“{0}” is waiting for your answer.', titleOf(event.toolName)));
      offerQuestion(event, options);
      break;
    case 'plugin_session_error':
      stream.markdown(`\n\n> ${titleOf(event.toolName)}: ${plainText(event.message)}\n\n`);
      break;
    case 'turn_end':
      if (event.reason === 'iteration_limit') {
        stream.markdown(`\n\n${t('I stopped after many tool calls. Say “continue” to let me continue.')}`);
      }
      if (event.reason === 'complete' && saysNothing(event.state.messages.at(-1))) {
        stream.markdown(t('The model returned no answer. Ask again, or choose another model.'));
      }
      break;
    case 'plugin_answer_ignored':
    case 'tool_log':
      break;
  }
}

/** A call of an earlier window that waits for a press of a button in its panel. */
export function showStuck(
  stream: Stream,
  { id, title }: CallEntry,
  { t, links }: Pick<ShowOptions, 't' | 'links'>,
): void {
  stream.progress(t('{0} cannot resume: see its panel', plainText(title)));
  links([{ command: commands.revealCall, title: t('Show {0}', title), arguments: [id] }]);
}

function saysNothing(last: Message | undefined): boolean {
  return last?.role === 'assistant' && textOf(last) === NO_ANSWER;
}

function isDue(callId: string, { shown, now }: ShowOptions): boolean {
  const last = shown.progress.get(callId);
  if (last !== undefined && now() - last < APART) return false;
  shown.progress.set(callId, now());
  return true;
}

/** A link to the call's panel. Each has a name of its own in its turn. */
function offerQuestion(
  { callId, sessionId, toolName }: PluginElicitRequestEvent,
  { titleOf, t, shown, links }: ShowOptions,
): void {
  if (shown.linked.has(callId)) return;
  const title = titleOf(toolName);
  const same = [...shown.linked.values()].filter((name) => name === toolName).length;
  shown.linked.set(callId, toolName);
  const name = same === 0 ? title : `${title} (${same + 1})`;
  links([{ command: commands.revealCall, title: t('Show {0}', name), arguments: [sessionId] }]);
}
