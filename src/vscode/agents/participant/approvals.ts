import { randomUUID } from 'node:crypto';
import { type Operation, race, withResolvers } from 'effection';
import type * as vscode from 'vscode';
import type { ProposedCall } from '../../../chat/options.ts';
import { parametersText } from '../../../core/messages/parameters-text.ts';
import { titleToDecide } from '../../../core/messages/readable-name.ts';
import { titleOf } from '../../calls/call-entry.ts';
import { fenced, plainText } from '../../calls/escaped-markdown.ts';
import { answerApproval } from '../../ids.ts';
import { policyFacts } from '../../servers/policy/facts.ts';
import { needsConfirmation } from '../lm/invocation.ts';
import type { ShowLinks } from './command-links.ts';

/** What a person says to a call: this one, all of this tool in this conversation, or not. */
export type ChatApproval = 'run' | 'chat' | 'no';

/** Where it is asked. */
export interface ApprovalTurn {
  readonly conversation: string;
  readonly stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>;
  readonly links: ShowLinks;
  /** Returns when the turn is stopped: that is a no. */
  readonly stopped: Operation<void>;
  /** `vscode.l10n.t` */
  t(message: string, ...values: string[]): string;
}

/** Asks the person in the chat before a tool runs that does more than read. */
export interface ChatApprovals {
  ask(call: ProposedCall, place: ApprovalTurn): Operation<boolean>;
  /** A button was pressed. One of an approval that is over does nothing. */
  answer(id: unknown, approval: unknown): void;
}

/** The approvals of a window. */
export function createChatApprovals(): ChatApprovals {
  const open = new Map<string, { readonly key: string; answer(approval: ChatApproval): void }>();
  const allowed = new Set<string>();
  return {
    *ask({ tool, input }, { conversation, stream, links, stopped, t }) {
      // A tool that has changed since, or is another server's, is another one.
      const key = JSON.stringify([conversation, tool.name, policyFacts(tool, tool).print]);
      if (!needsConfirmation(tool) || allowed.has(key)) return true;
      const title = titleToDecide(tool, titleOf(tool));
      const id = randomUUID();
      const pressed = withResolvers<ChatApproval>();
      open.set(id, { key, answer: pressed.resolve });
      try {
        const question = t('May “{0}” run with these parameters?', title);
        stream.markdown(`\n\n${plainText(question)}\n\n${fenced(parametersText(input), 'json')}\n`);
        const choice = (label: string, approval: ChatApproval) => ({
          command: answerApproval,
          title: label,
          arguments: [id, approval],
        });
        stream.button(choice(t('Run'), 'run'));
        links([choice(t('Always in This Chat'), 'chat'), choice(t('Don’t Run'), 'no')]);
        const approval = yield* race([pressed.operation, stopping(stopped)]);
        // What was pressed stays as it is in the chat. Nothing can be said in a turn that was stopped.
        if (approval !== 'stopped') stream.markdown(`\n\n_${plainText(chosen(approval, title, t))}_\n\n`);
        return approval === 'run' || approval === 'chat';
      } finally {
        open.delete(id);
      }
    },
    answer(id, approval) {
      if (approval !== 'run' && approval !== 'chat' && approval !== 'no') return;
      const pressed = open.get(String(id));
      pressed?.answer(approval);
      if (!pressed || approval !== 'chat') return;
      allowed.add(pressed.key);
      // What the model has asked for beside it is of this chat, too.
      for (const { key, answer } of open.values()) if (key === pressed.key) answer(approval);
    },
  };
}

function* stopping(stopped: Operation<void>): Operation<'stopped'> {
  yield* stopped;
  return 'stopped';
}

/** What the person chose, in words. */
function chosen(approval: ChatApproval, title: string, t: ApprovalTurn['t']): string {
  if (approval === 'no') return t('You did not run “{0}”.', title);
  return approval === 'run' ? t('You ran “{0}”.', title) : t('“{0}” always runs in this chat.', title);
}
