import type { Operation } from 'effection';
import type { LogLevel } from '../../core/tool/context.ts';
import { waitFor } from '../../runtime/call/wait.ts';
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
  /** Says that the call lives, though nothing happens: clients give up on calls that are silent for long. */
  heartbeat(message: string): void;
}

/** A reporter for one request. A notification that cannot be sent is lost: whoever reads has gone. */
export function createReporter(toolName: string, port: NotificationPort): Reporter {
  const progress = port.progressToken === undefined ? undefined : createProgressEncoder(port.progressToken);
  const send = (method: string, params: object) =>
    port.notify(method, params as Readonly<Record<string, unknown>>).catch(() => {});

  return {
    *log(event) {
      const level = port.logLevel();
      if (level === undefined || !isLogged(event.level, level)) return;
      yield* waitFor(send('notifications/message', encodeLog(toolName, event)));
    },
    *notify(event) {
      if (progress) yield* waitFor(send('notifications/progress', progress(event)));
    },
    heartbeat(message) {
      if (progress) send('notifications/progress', progress({ message }));
    },
  };
}
