import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable, useDisposable } from '../../bridge.ts';
import { ownCalls } from '../../calls/call-list.ts';
import { useLazy } from '../../calls/lazy.ts';
import { useEdge, useExtension } from '../../contexts.ts';
import { hasApi } from '../../has-api.ts';
import { chatParticipant } from '../../ids.ts';
import { followUps } from './follow-ups.ts';
import type { ParticipantParts } from './parts.ts';

/** `@parley` in the chat. What holds the conversation is loaded with the first request. */
export function* useParticipant(parts: ParticipantParts): Operation<void> {
  const { createChatParticipant } = vscode.chat ?? {};
  if (!(yield* hasApi('vscode.chat.createChatParticipant', createChatParticipant, 'its chat has no @parley')))
    return;
  const edge = yield* useEdge();
  const { extensionUri } = yield* useExtension();
  const handler = yield* useLazy(function* () {
    const { useRequestHandler } = yield* fromThenable(import('./handle-request.ts'));
    return yield* useRequestHandler(parts, yield* parts.desk());
  });
  const participant = yield* useDisposable(() =>
    vscode.chat.createChatParticipant(chatParticipant, (request, context, stream, token) =>
      // Not with the token: a stopped turn leaves its open questions in good order.
      edge.promise(function* () {
        return yield* (yield* handler())({ request, context, stream, token });
      }),
    ),
  );
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => followUps(metadata, ownCalls(parts.calls), vscode.l10n.t),
  };
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
}
