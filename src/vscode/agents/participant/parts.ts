import type * as vscode from 'vscode';
import type { CallList } from '../../calls/call-list.ts';
import type { CallDesk } from '../../calls/desk.ts';
import type { CallHistory } from '../../calls/history/call-history.ts';
import type { Lazy } from '../../calls/lazy.ts';
import type { createChatsCalls } from '../../calls/ongoing/chats-calls.ts';
import type { EarlierWindows } from '../../calls/ongoing/earlier-windows.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import type { ChatApprovals } from './approvals.ts';

/** What `@parley` works with. */
export interface ParticipantParts {
  readonly desk: Lazy<CallDesk>;
  readonly tools: ToolPort;
  readonly calls: CallList;
  readonly history: CallHistory;
  readonly earlier: EarlierWindows;
}

/** One request of the chat, with all that VS Code gives. */
export interface ChatCall {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** What commands and turns of `@parley` share. */
export interface TurnParts extends ParticipantParts {
  readonly callDesk: CallDesk;
  readonly approvals: ChatApprovals;
  /** Finds calls of `@parley` that an earlier window began. */
  readonly findCall: ReturnType<typeof createChatsCalls>;
}
