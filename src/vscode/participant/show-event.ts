import type * as vscode from 'vscode';
import type { ChatEvent } from '../../chat/events.ts';
import { commands } from '../ids.ts';

/** What showing needs to know. */
export interface ShowOptions {
  /** What a person calls the tool of this name. */
  titleOf(toolName: string): string;
  /** `vscode.l10n.t` */
  t(message: string, ...values: string[]): string;
  /** Calls that have their button in this turn: all questions of a call are in one panel. */
  readonly offered: Set<string>;
}

type Stream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'button'>;

/** Shows an event of a turn in the chat. */
export function showEvent(stream: Stream, event: ChatEvent, options: ShowOptions): void {
  const { titleOf, t, offered } = options;
  switch (event.type) {
    case 'text':
      stream.markdown(event.text);
      break;
    case 'tool_call':
      stream.progress(t('Running {0}', titleOf(event.toolName)));
      break;
    case 'tool_progress':
      if (event.message !== '') stream.progress(event.message);
      break;
    case 'tool_result':
      if (event.result.isError) stream.progress(t('{0} did not succeed', titleOf(event.toolName)));
      break;
    case 'plugin_awaiting':
      stream.progress(t('{0} waits for your answer', titleOf(event.toolName)));
      if (offered.has(event.callId)) break;
      offered.add(event.callId);
      stream.button({
        command: commands.revealCall,
        title: t('Show the Question'),
        arguments: [event.callId],
      });
      break;
    case 'plugin_session_error':
      stream.markdown(`\n\n> ${titleOf(event.toolName)}: ${event.message}\n\n`);
      break;
    case 'turn_end':
      if (event.reason === 'iteration_limit') {
        stream.markdown(
          `\n\n${t('I stopped here, after many calls of tools. Say “go on” to let me go on.')}`,
        );
      }
      break;
    case 'tool_log':
      break;
  }
}
