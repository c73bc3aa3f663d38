import type { JsonObject } from '../../core/messages/json.ts';
import {
  copy,
  keep,
  openFrame,
  openLogs,
  pageProblem,
  pressAction,
  readFromPage,
  ready,
  stop,
  type ToHost,
} from '../../panel-port/index.ts';
import type { Log } from '../log/log.ts';
import type { Inbox } from './inbox.ts';

/** What the messages of a page lead to. */
export interface PageListenerOptions {
  readonly inbox: Pick<Inbox, 'receive'>;
  /** What the log calls the panel. */
  readonly title: string;
  readonly log: Pick<Log, 'warn' | 'show'>;
  onReady(): void;
  onStop(): void;
  onAction(id: string): void;
  /** The person wants to see a frame of the trace. */
  onFrame(part: number, frame: number): void;
  /** What the page wants to find again when its window is opened anew. */
  keep(memory: JsonObject): void;
  copy(text: string): void;
}

/**
 * The host's ear for one panel. Its page is not trusted: what is not ours is ignored, what is ours and malformed goes to the
 * log, and nothing of either has any effect.
 */
export function createPageListener(options: PageListenerOptions): (data: unknown) => void {
  const { inbox, title, log } = options;

  const receive = (message: ToHost): void => {
    if (inbox.receive(message)) return;
    if (ready.is(message)) options.onReady();
    else if (stop.is(message)) options.onStop();
    else if (pressAction.is(message)) options.onAction(message.body.id);
    else if (keep.is(message)) options.keep(message.body.memory);
    else if (copy.is(message)) options.copy(message.body.text);
    else if (openFrame.is(message)) options.onFrame(message.body.part, message.body.frame);
    else if (openLogs.is(message)) log.show();
    else if (pageProblem.is(message)) log.warn(`${title}: ${message.body.message}`, message.body.detail);
  };

  return (data) => {
    const received = readFromPage(data);
    if (received.case === 'message') receive(received.message);
    if (received.case === 'malformed') log.warn(`${title}: ${received.error.message}`, received.error);
  };
}
