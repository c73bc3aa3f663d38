import type { CallToolResult, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';
import type { RpcErrorObject } from '../../wire/rpc/json-rpc.ts';
import type { Halt } from '../calls/halt.ts';
import type { CallInFlight } from '../calls/in-flight.ts';
import { wrapListener } from './wrap-listener.ts';

type Sdk = typeof import('@modelcontextprotocol/client');

/** What the SDK counts its requests from is 0: it does not come as far as this. */
const FIRST_ID = 1_000_000_000;

/** A call of a server's tool. */
export interface StraightCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface OpenStraightCall {
  readonly progress: Pick<CallInFlight, 'progress'>;
  resolve(result: CallToolResult): void;
  reject(error: Error): void;
}

/**
 * Calls of tools in 2025-11-25, past the SDK's client: that parses each answer three times, and makes a timer, a signal and five promises
 * for each. The result is checked with the SDK's schema, once, and what goes wrong is what it is with the SDK. Requests of the server,
 * its log, and all other requests are the SDK's.
 */
export class StraightCalls {
  readonly #sdk: Sdk;
  readonly #transport: Transport;
  readonly #report: (error: Error) => void;
  readonly #open = new Map<number, OpenStraightCall>();
  #nextId = FIRST_ID;
  #closed = false;

  /** @param transport on which the SDK's client will listen, behind this */
  constructor(sdk: Sdk, transport: Transport, report: (error: Error) => void) {
    this.#sdk = sdk;
    this.#transport = transport;
    this.#report = report;
    wrapListener(transport, (listener) => (message, extra) => {
      if (!this.#takes(message)) listener(message, extra);
    });
  }

  /** Calls a tool. @throws what the SDK's client throws */
  call(
    { name, arguments: args, _meta }: StraightCall,
    progress: Pick<CallInFlight, 'progress'>,
    halt: Pick<Halt, 'onHalt'>,
  ): Promise<CallToolResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('Not connected'));
      const id = this.#nextId++;
      this.#open.set(id, { progress, resolve, reject });
      halt.onHalt((reason) => this.#cancel(id, reason));
      const params = { name, arguments: args, _meta: { ..._meta, progressToken: id } };
      this.#transport
        .send({ method: 'tools/call', params, jsonrpc: '2.0', id })
        .catch((error: Error) => this.#taken(id)?.reject(error));
    });
  }

  /** The connection has ended. */
  close(): void {
    this.#closed = true;
    const { SdkError, SdkErrorCode } = this.#sdk;
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(error);
  }

  #taken(id: number): OpenStraightCall | undefined {
    const open = this.#open.get(id);
    if (open) this.#open.delete(id);
    return open;
  }

  #cancel(id: number, reason: Error): void {
    const open = this.#taken(id);
    if (!open) return;
    open.reject(reason);
    if (this.#closed) return;
    const params = { requestId: id, reason: String(reason) };
    this.#transport
      .send({ method: 'notifications/cancelled', params, jsonrpc: '2.0' })
      .catch((error: unknown) => this.#report(new Error(`Failed to send cancellation: ${error}`)));
  }

  /** Takes what belongs to a call of these; nothing else is touched. */
  #takes(message: JSONRPCMessage): boolean {
    if (this.#open.size === 0) return false;
    if ('method' in message) {
      return message.method === 'notifications/progress' && this.#progress(message);
    }
    const open = this.#taken(Number(message.id));
    if (!open) return false;
    if ('result' in message) this.#answer(open, message.result);
    else open.reject(this.#failure(message.error));
    return true;
  }

  #progress(message: JSONRPCMessage): boolean {
    const checked = this.#sdk.specTypeSchemas.ProgressNotification['~standard'].validate(message);
    // What is none is told of by the SDK.
    if (checked instanceof Promise || checked.issues) return false;
    const { progressToken, progress, total, message: said } = checked.value.params;
    const open = this.#open.get(Number(progressToken));
    open?.progress.progress({ progress, total, message: said });
    return open !== undefined;
  }

  #answer({ resolve, reject }: OpenStraightCall, result: Readonly<Record<string, unknown>>): void {
    if (isPlainText(result)) {
      resolve(result);
      return;
    }
    const { SdkError, SdkErrorCode, specTypeSchemas } = this.#sdk;
    const checked = specTypeSchemas.CallToolResult['~standard'].validate(plain(result));
    if (checked instanceof Promise) {
      checked.then((late) => (late.issues ? reject(invalid(late.issues)) : resolve(late.value)), reject);
    } else if (checked.issues) reject(invalid(checked.issues));
    else resolve(checked.value);

    function invalid(issues: readonly Issue[]): Error {
      const why = issues.map(issueText).join(', ');
      return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${why}`);
    }
  }

  #failure({ code, message, data }: RpcErrorObject): Error {
    return this.#sdk.ProtocolError.fromError(code, message, data);
  }
}

/** Whether a result is text and nothing else, as most are: the schema would let it through as it is, and takes longer to say so. */
function isPlainText(result: Readonly<Record<string, unknown>>): result is CallToolResult {
  const { content, isError } = result;
  const known = isError === undefined ? 1 : 2;
  return (
    Array.isArray(content) &&
    (isError === undefined || typeof isError === 'boolean') &&
    Object.keys(result).length === known &&
    content.every(isTextBlock)
  );
}

function isTextBlock(block: unknown): boolean {
  return (
    isObject(block) &&
    block.type === 'text' &&
    typeof block.text === 'string' &&
    Object.keys(block).length === 2
  );
}

/** Without what only a later protocol has. */
function plain(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!('resultType' in result)) return result;
  const { resultType: _, ...rest } = result;
  return rest;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema has against a value, and where. */
export function issueText({ path, message }: Issue): string {
  if (!path?.length) return message;
  return `${path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')}: ${message}`;
}
