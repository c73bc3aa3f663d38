import { type Operation, until } from 'effection';
import { defined } from '../../core/schema/defined.ts';
import type { LogLevel } from '../../core/tool/context.ts';
import type { LogEvent, ProgressEvent } from '../../runtime/session/events.ts';
import { encodeLog, isLogged } from '../wire/log.ts';
import type { ProgressToken } from '../wire/meta.ts';
import { createProgressEncoder } from '../wire/progress.ts';

/** Where the notifications of one request go. */
export interface NotificationPort {
  notify(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
  /** What the caller wants progress under; without it none is sent. */
  readonly progressToken: ProgressToken | undefined;
  /** The least severe level the caller wants now; `undefined` for no log at all. */
  logLevel(): LogLevel | undefined;
}

/** Sends a call's log and progress. */
export interface Reporter {
  log(event: LogEvent): Operation<void>;
  notify(event: ProgressEvent): Operation<void>;
  /** Says that the call lives, though nothing happens: clients give up on calls that are silent for long. Without a message, what it said last. */
  heartbeat(message?: string): void;
}

/** A reporter for one request. A notification that cannot be sent is lost: whoever reads has gone. */
export function createReporter(toolName: string, port: NotificationPort): Reporter {
  return new PortReporter(toolName, port);
}

class PortReporter implements Reporter {
  readonly #toolName: string;
  readonly #port: NotificationPort;
  readonly #progress: ReturnType<typeof createProgressEncoder> | undefined;
  #said: string | undefined;

  constructor(toolName: string, port: NotificationPort) {
    this.#toolName = toolName;
    this.#port = port;
    const { progressToken: token } = port;
    this.#progress = token === undefined ? undefined : createProgressEncoder(token);
  }

  *log(event: LogEvent): Operation<void> {
    const level = this.#port.logLevel();
    if (level === undefined || !isLogged(event.level, level)) return;
    yield* until(this.#send('notifications/message', encodeLog(this.#toolName, event)));
  }

  *notify(event: ProgressEvent): Operation<void> {
    this.#said = event.message ?? this.#said;
    if (this.#progress) yield* until(this.#send('notifications/progress', this.#progress(event)));
  }

  heartbeat(message = this.#said): void {
    // Nobody waits for ever where the tool says nothing once it has its answer.
    if (message) this.#said ??= 'running';
    if (this.#progress)
      this.#send('notifications/progress', this.#progress({ ...defined({ message }), beat: true }));
  }

  #send(method: string, params: object): Promise<void> {
    return this.#port.notify(method, params as Readonly<Record<string, unknown>>).catch(() => {});
  }
}
