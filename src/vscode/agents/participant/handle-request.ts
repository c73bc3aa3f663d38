import { type Operation, race, scoped } from 'effection';
import * as vscode from 'vscode';
import type { TurnEnd } from '../../../chat/events.ts';
import type { ConversationState } from '../../../chat/state.ts';
import { toError } from '../../../core/errors/parley-error.ts';
import { fromThenable, untilCancelled, useCancellation, useDisposable } from '../../bridge.ts';
import { type CallEntry, hasEnded } from '../../calls/call-entry.ts';
import { ownCalls } from '../../calls/call-list.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { buttonText, plainText } from '../../calls/escaped-markdown.ts';
import { createChatsCalls } from '../../calls/ongoing/chats-calls.ts';
import type { LmPart } from '../../calls/sampler/parts.ts';
import { fromVscodePart } from '../../calls/sampler/to-vscode.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import { answerApproval, commands, participantCommands } from '../../ids.ts';
import { declaredTools } from '../lm/invocation.ts';
import { createChatApprovals } from './approvals.ts';
import { runByCommand } from './commands/run-by-command.ts';
import { createConversations, type PastTurn, type TurnMetadata } from './conversation.ts';
import { chooseEditorTools, namedTools } from './editor-tools/choose.ts';
import { type CallEditorTool, editorTools } from './editor-tools/editor-tool.ts';
import { textOfPrompt } from './editor-tools/result-blocks.ts';
import { showQuestion } from './follow-ups.ts';
import { callsMarkdown, toolsMarkdown } from './lists.ts';
import type { ChatCall, ParticipantParts, TurnParts } from './parts.ts';
import { attachmentsOf, pastTurnsOf } from './past-turns.ts';
import { promptOf } from './prompt.ts';
import { type ParticipantTurn, runTurn, type TurnOutcome } from './run-turn.ts';

/** Calls tools of the editor for one turn of the chat, which shows each call, and asks whether it may run. */
function callEditorTools(turn: vscode.ChatParticipantToolToken): CallEditorTool {
  return (name, input): Operation<readonly LmPart[]> =>
    scoped(function* () {
      const token = yield* useCancellation(vscode.CancellationTokenSource);
      const options = { input, toolInvocationToken: turn };
      const { content } = yield* fromThenable(vscode.lm.invokeTool(name, options, token));
      return content.map(partOf).filter((part) => part !== undefined);
    });
}

function partOf(part: unknown): LmPart | undefined {
  if (part instanceof vscode.LanguageModelPromptTsxPart) {
    return { type: 'text', text: textOfPrompt(part.value) };
  }
  return fromVscodePart(part);
}

/** Buttons that fit below a list. */
const mostButtons = 5;

/** `/runs`: the calls of this window, with a button for each that has not ended. */
function showCalls(stream: vscode.ChatResponseStream, entries: readonly CallEntry[]): void {
  stream.markdown(callsMarkdown(entries, vscode.l10n.t));
  for (const entry of entries.filter((one) => !hasEnded(one)).slice(0, mostButtons)) {
    stream.button({
      command: commands.revealCall,
      title: vscode.l10n.t('Show {0}', buttonText(entry.title)),
      arguments: [entry.id],
    });
  }
}

/** Where stopped conversations are kept beyond the window. */
const stateKey = 'parley.chat.stopped';

/** Answers requests to `@parley`, as long as the caller lives. */
export function* useRequestHandler(
  given: ParticipantParts,
  callDesk: CallDesk,
): Operation<(call: ChatCall) => Operation<vscode.ChatResult>> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { workspaceState, extension } = yield* useExtension();
  const shipped = new Set(declaredTools(extension.packageJSON));
  const approvals = createChatApprovals();
  yield* useDisposable(() => vscode.commands.registerCommand(answerApproval, approvals.answer));
  const findCall = createChatsCalls(given);
  const parts: TurnParts = { ...given, callDesk, approvals, findCall };
  const conversations = createConversations({
    read: () => workspaceState.get(stateKey),
    write: (value) => {
      edge.fork('keeping conversations', () => fromThenable(workspaceState.update(stateKey, value)));
    },
  });

  /** The tools that others serve to the editor, for one turn. */
  function editorToolsOf({ toolReferences, toolInvocationToken }: vscode.ChatRequest) {
    const isOwn = (name: string) => shipped.has(name) || parts.tools.registry.get(name) !== undefined;
    const infos = chooseEditorTools(vscode.lm.tools, toolReferences, isOwn);
    const tools = editorTools(infos, callEditorTools(toolInvocationToken), (name, error) =>
      log.warn(`@parley cannot use the tool ${name}`, error),
    );
    return new Map(tools.map((tool) => [tool.name, tool]));
  }

  function* answer(
    call: ChatCall,
    state: ConversationState,
    keep: ParticipantTurn['keep'],
  ): Operation<TurnOutcome> {
    const { request, stream } = call;
    const { registry } = parts.tools;
    const { prompt } = request;
    if (parts.tools.loading()) stream.progress(vscode.l10n.t('Loading tools'));
    yield* race([parts.tools.loaded(), untilCancelled(call.token)]);
    switch (request.command) {
      case participantCommands.tools:
        stream.markdown(toolsMarkdown(registry.list(), vscode.l10n.t));
        return { state };
      case participantCommands.runs:
        showCalls(stream, ownCalls(parts.calls));
        return { state };
      case participantCommands.show:
        stream.markdown(showQuestion(ownCalls(parts.calls), vscode.l10n.t, state.id));
        return { state };
      case participantCommands.run:
        return yield* runByCommand(parts, call, state, keep);
      default: {
        const attachments = yield* fromThenable(attachmentsOf(request.references));
        const isEmpty = prompt.trim() === '' && attachments.length === 0;
        if (isEmpty && state.messages.length === 0) {
          const asked = vscode.l10n.t('What should I do? Available tools:');
          stream.markdown(`${asked}\n\n${toolsMarkdown(registry.list(), vscode.l10n.t)}`);
          return { state };
        }
        const others = editorToolsOf(request);
        const named = namedTools(
          request.toolReferences,
          (name) => (registry.get(name) ?? others.get(name))?.name,
        );
        return yield* runTurn(parts, call, {
          state,
          // Providers refuse a message without text.
          message: promptOf(isEmpty ? 'Go on.' : prompt, attachments, named),
          // What only tools may call of other servers is not the model's.
          tools: () => registry.list().filter(({ tool }) => !tool.def.foreign?.unlisted),
          others,
          keep,
        });
      }
    }
  }

  return function* (call) {
    const history: readonly PastTurn[] = pastTurnsOf(call.context.history);
    const { state: before, cutOff } = conversations.find(history);
    const { prompt } = call.request;
    let latest = before;
    if (cutOff !== undefined) {
      const said = vscode.l10n.t('Continues from your message before the window was closed:');
      call.stream.markdown(`${said}\n\n> ${plainText(cutOff)}\n\n`);
    }
    const keep = (state: ConversationState) => {
      latest = state;
      conversations.keepStopped(history, prompt, state);
    };
    try {
      const { state, error, reason } = yield* answer(call, before, keep);
      if (call.token.isCancellationRequested) keep(state);
      else conversations.forget(history, prompt);
      if (error) log.error('@parley failed', error);
      return resultOf(state, error, reason);
    } catch (thrown) {
      const error = toError(thrown);
      log.error('@parley failed', error);
      conversations.forget(history, prompt);
      return resultOf(latest, error, 'failed');
    }
  };
}

/** What the next turn finds, and what the chat shows of a failure. */
function resultOf(
  conversation: ConversationState,
  error?: { readonly message: string },
  reason: TurnEnd = 'complete',
): vscode.ChatResult {
  const metadata: TurnMetadata = { conversation, reason };
  const failed = error && { errorDetails: { message: plainText(error.message) } };
  return { metadata: { ...metadata }, ...failed };
}
