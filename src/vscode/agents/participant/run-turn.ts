import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { createChatEngine } from '../../../chat/engine.ts';
import type { ChatEvent, TurnEnd } from '../../../chat/events.ts';
import type { ConversationState } from '../../../chat/state.ts';
import type { ErrorData } from '../../../core/errors/data/error-data.ts';
import type { Message } from '../../../core/messages/content.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { caughtUp } from '../../authoring/workspace/caught-up.ts';
import { untilCancelled } from '../../bridge.ts';
import { titleOf } from '../../calls/call-entry.ts';
import { editorCapabilities } from '../../calls/editor/editor-capabilities.ts';
import { callsTools } from '../../calls/sampler/calls-tools.ts';
import { useEdge } from '../../contexts.ts';
import { chatPrincipal } from '../../ids.ts';
import { chatModelOf } from './chat-model.ts';
import { linksIn } from './command-links.ts';
import type { ChatCall, TurnParts } from './parts.ts';
import { systemPrompt } from './prompt.ts';
import { nothingShown, showEvent, showStuck } from './show-event.ts';

/** What a turn starts from. */
export interface ParticipantTurn {
  readonly state: ConversationState;
  readonly message: Message;
  /** The tools of this turn; read anew before each answer of the model. */
  tools(): readonly RegisteredTool[];
  /** Tools that others serve to the editor, by name: it asks whether they may run, and shows their calls. */
  readonly others?: ReadonlyMap<string, AnyTool>;
  /** Told what to go on from, should the window be closed while calls run. */
  keep(state: ConversationState): void;
}

/** Where a turn left the conversation, and what failed in it. */
export interface TurnOutcome {
  readonly state: ConversationState;
  readonly error?: ErrorData;
  readonly reason?: TurnEnd;
}

/**
 * One turn of `@parley`: the chat's own model and Parley's tools, whose questions open in their panels. The turn stays open
 * meanwhile; when it is stopped, an open question can still be answered, and the next turn goes on with it.
 */
export function* runTurn(parts: TurnParts, call: ChatCall, turn: ParticipantTurn): Operation<TurnOutcome> {
  const { callDesk } = parts;
  const edge = yield* useEdge();
  const { request, stream, token } = call;
  const { others = new Map<string, AnyTool>() } = turn;
  const links = linksIn(stream);
  const shown = {
    t: vscode.l10n.t,
    links,
    shown: nothingShown(),
    now: Date.now,
    titleOf: (name: string) => {
      const registered = parts.tools.registry.get(name);
      return registered ? titleOf(registered.tool) : name;
    },
  };
  const engine = createChatEngine({
    manager: callDesk.manager,
    calls: callDesk.calls,
    principal: chatPrincipal,
    systemPrompt,
    model: chatModelOf(request.model),
    tools: () => [...turn.tools().map(({ tool, plugin }) => plugin ?? tool), ...others.values()],
    *catchUp(name) {
      return others.has(name) ? undefined : yield* caughtUp(parts.tools, name);
    },
    *confirm(proposed) {
      if (others.has(proposed.tool.name)) return true;
      return yield* parts.approvals.ask(proposed, {
        conversation: turn.state.id,
        stream,
        links,
        stopped: untilCancelled(token),
        t: vscode.l10n.t,
      });
    },
    // A quarter of what the model has room for, at some three characters a token.
    maxResult: Math.max(4000, Math.floor((request.model.maxInputTokens * 3) / 4)),
    // Half of it, so that results, the system prompt and the tools fit beside it.
    maxHistory: Math.max(16_000, Math.floor((request.model.maxInputTokens * 3) / 2)),
    keep: turn.keep,
    // Lists, commands and what is kept know a call by this alone.
    sessionId: (callId, conversation) => `${callId}@${conversation}`,
    find: (sessionId) =>
      parts.findCall(sessionId, (entry) => {
        if (!token.isCancellationRequested) showStuck(stream, entry, shown);
      }),
    waiting: {
      mode: 'stay',
      capabilities: editorCapabilities,
      *open(session) {
        if (others.has(session.toolName)) return;
        const client = callDesk.adopt(session, { kind: 'chat', name: '@parley' }, request.model);
        // As long as the window lives: the turn may be stopped, and the answer come later.
        edge.fork(`answering ${session.toolName}`, () => callDesk.attend(session, client));
      },
    },
  });
  const isShown = (event: ChatEvent) =>
    (event.type === 'tool_call' || event.type === 'tool_result') && others.has(event.toolName);
  if (!callsTools(request.model)) stream.progress(vscode.l10n.t('This model cannot call tools'));
  let error: ErrorData | undefined;
  let reason: TurnEnd = 'complete';
  const state = yield* engine.turn(
    { state: turn.state, message: turn.message },
    function* (event) {
      if (event.type === 'turn_end') ({ error, reason } = event);
      // The editor throws when a stopped turn is written to.
      if (!token.isCancellationRequested && !isShown(event)) showEvent(stream, event, shown);
    },
    untilCancelled(token),
  );
  return { state, reason, ...defined({ error }) };
}
