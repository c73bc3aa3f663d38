import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type Edge, fromThenable, useDisposable } from '../bridge.ts';
import type { CallList } from '../calls/call-list.ts';
import type { CallDesk } from '../calls/desk.ts';
import { chatParticipant } from '../ids.ts';
import { type Lazy, useLazy } from '../lazy.ts';
import type { Log } from '../log/log.ts';
import type { ToolPort } from '../workspace/tool-port.ts';

/** What `@parley` works with. */
export interface ParticipantParts {
  readonly edge: Edge;
  readonly desk: Lazy<CallDesk>;
  readonly tools: ToolPort;
  readonly calls: CallList;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
  /** Keeps what a closed window leaves of its conversations. */
  readonly state: vscode.Memento;
}

/** `@parley` in the chat. What holds the conversation is loaded with the first request. */
export function* useParticipant(parts: ParticipantParts): Operation<void> {
  const handler = yield* useLazy(function* () {
    const { createRequestHandler } = yield* fromThenable(import('./handle-request.ts'));
    return createRequestHandler(parts, yield* parts.desk());
  });
  const participant = yield* useDisposable(() =>
    vscode.chat.createChatParticipant(chatParticipant, (request, context, stream, token) =>
      // Not with the token: a stopped turn leaves its open questions in good order.
      parts.edge.promise(function* () {
        return yield* (yield* handler())({ request, context, stream, token });
      }),
    ),
  );
  participant.iconPath = vscode.Uri.joinPath(parts.extensionUri, 'media', 'icon.png');
}
