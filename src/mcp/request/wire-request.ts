import type { Operation } from 'effection';
import type { RequiredPage } from '../../core/errors/elicit-errors.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { ClientPages } from '../apps/connection-apps.ts';
import type { Caller } from '../caller.ts';
import type { CallTrace } from '../trace/call-trace.ts';
import type { Era } from '../wire/era.ts';
import type { RpcId } from '../wire/rpc/json-rpc.ts';
import type { AwaitedRequest } from './awaited-request.ts';
import type { RequestedCall, Result } from './open-call.ts';
import type { NotificationPort, Reporter } from './reporter.ts';

/** A request, as its era hands it on. */
export interface WireRequest extends NotificationPort {
  readonly era: Era;
  readonly caller: Caller;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The client at the other end, for messages: `mcp client "x"`. */
  readonly name: string;
  /** What the client says it is. */
  readonly clientInfo: unknown;
  /** What its host calls it where it tells its pages (2025). */
  readonly id?: RpcId;
  /** The pages of calls in its conversation, where it may show some. */
  readonly apps: ClientPages | undefined;
  capabilities(): ClientCapabilities;
  /** Over when the client cancels, or is gone. */
  readonly awaited: AwaitedRequest;
  /** The client at the other end as the client of a session. */
  client(reporter: Reporter, trace: CallTrace): Client;
  /** Where there is an error that sends the person to pages: the client is about to get it. */
  requirePages?(pages: readonly RequiredPage[]): void;
  /** Whether a task is an answer to it (2026), or is asked for (2025). */
  readonly takesTasks: boolean;
  /** Whether it goes on with a call that an earlier one began (2026). */
  readonly goesOn?: boolean;
  /** The answers that it carries, by key (2026). */
  responses?(): unknown;
  /** Takes a call as far as this request takes it. */
  run(call: RequestedCall): Operation<Result>;
  /** Methods of the connection itself. */
  readonly own?: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => Result>>;
}
