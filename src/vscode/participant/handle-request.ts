import { type Operation, race } from 'effection';
import * as vscode from 'vscode';
import type { ConversationState } from '../../chat/state.ts';
import { toError } from '../../core/errors/errors.ts';
import { fromThenable, untilCancelled } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { participantCommands } from '../ids.ts';
import { createConversations, type PastTurn, type TurnMetadata } from './conversation.ts';
import { toolsMarkdown } from './lists.ts';
import type { ChatCall, ParticipantParts, TurnParts } from './parts.ts';
import { attachmentsOf, pastTurnsOf } from './past-turns.ts';
import { messageOf } from './prompt.ts';
import { runByCommand } from './run-by-command.ts';
import { runTurn, type Turn } from './run-turn.ts';
import { showCalls } from './show-calls.ts';

/** Where stopped conversations are kept beyond the window. */
const stateKey = 'parley.chat.stopped';

/** Answers requests to `@parley`. */
export function createRequestHandler(
  given: ParticipantParts,
  callDesk: CallDesk,
): (call: ChatCall) => Operation<vscode.ChatResult> {
  const parts: TurnParts = { ...given, callDesk };
  const conversations = createConversations({
    read: () => parts.state.get(stateKey),
    write: (value) => {
      parts.edge.fork('keeping conversations', () => fromThenable(parts.state.update(stateKey, value)));
    },
  });

  function* answer(
    call: ChatCall,
    state: ConversationState,
    keep: Turn['keep'],
  ): Operation<ConversationState> {
    const { request, stream } = call;
    const { registry } = parts.tools;
    if (parts.tools.loading()) stream.progress(vscode.l10n.t('Loading tools'));
    yield* race([parts.tools.loaded(), untilCancelled(call.token)]);
    switch (request.command) {
      case participantCommands.tools:
        stream.markdown(toolsMarkdown(registry.list(), vscode.l10n.t));
        return state;
      case participantCommands.runs:
        showCalls(stream, parts.calls.list());
        return state;
      case participantCommands.run:
        return yield* runByCommand(parts, call, state, keep);
      default: {
        const attachments = yield* fromThenable(attachmentsOf(request.references));
        // Those without a place in the prompt are all that the agent may use.
        const named = request.toolReferences
          .filter(({ name, range }) => range && registry.get(name))
          .map(({ name }) => name);
        return yield* runTurn(parts, call, {
          state,
          message: messageOf(request.prompt, attachments, named),
          tools: () => registry.list(),
          keep,
        });
      }
    }
  }

  return function* (call) {
    const history: readonly PastTurn[] = pastTurnsOf(call.context.history);
    const before = conversations.find(history);
    const { prompt } = call.request;
    try {
      const keep = (state: ConversationState) => conversations.keepStopped(history, prompt, state);
      const state = yield* answer(call, before, keep);
      if (call.token.isCancellationRequested) keep(state);
      else conversations.forget(history, prompt);
      const metadata: TurnMetadata = { conversation: state };
      return { metadata: { ...metadata } };
    } catch (thrown) {
      const error = toError(thrown);
      parts.log.error('@parley failed', error);
      conversations.forget(history, prompt);
      const metadata: TurnMetadata = { conversation: before };
      return { errorDetails: { message: error.message }, metadata: { ...metadata } };
    }
  };
}
