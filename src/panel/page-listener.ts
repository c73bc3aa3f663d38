import type { JsonObject } from '../core/messages/json.ts';
import {
  type HandlersOf,
  handle,
  type PickKind,
  type ResultFormat,
  readFromPage,
  type ToHost,
} from '../panel-port/index.ts';
import type { Inbox } from './inbox.ts';

/** What the messages of a page lead to. */
export interface PageListenerOptions {
  readonly inbox: Pick<Inbox, 'receive'>;
  /** What the log calls the panel. */
  readonly title: string;
  readonly log: { warn(message: string, cause?: unknown): void; show(): void };
  onReady(): void;
  onStop(): void;
  onAction(id: string): void;
  /** The person wants to answer an earlier question again. */
  onGoBack(askId: string): void;
  /** The person wants to see a frame of the trace. */
  onFrame(part: number, frame: number): void;
  /** The person wants to pick a path for a control. */
  onPick(control: string, what: PickKind): void;
  /** The person wants to see lines of a file. */
  onPlace(place: string): void;
  /** The person wants the result in an editor or a file. */
  onResult(how: 'open' | 'save', as: ResultFormat): void;
  /** The person follows a link of the result. */
  onBlock(block: number): void;
  /** The page has got the keyboard. */
  onLooked(): void;
  /** The person wants the call in its own panel. */
  onOpenPanel(): void;
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
  const handlers: HandlersOf<ToHost> = {
    answerForm: inbox.receive,
    decline: inbox.receive,
    cancel: inbox.receive,
    viewResponse: inbox.receive,
    viewCrashed: inbox.receive,
    submitParams: inbox.receive,
    ready: options.onReady,
    stop: options.onStop,
    goBack: ({ body }) => options.onGoBack(body.to),
    pressAction: ({ body }) => options.onAction(body.id),
    keep: ({ body }) => options.keep(body.memory),
    copy: ({ body }) => options.copy(body.text),
    openFrame: ({ body }) => options.onFrame(body.part, body.frame),
    pickPath: ({ body }) => options.onPick(body.control, body.what),
    showPlace: ({ body }) => options.onPlace(body.place),
    takeResult: ({ body }) => options.onResult(body.how, body.as),
    openBlock: ({ body }) => options.onBlock(body.block),
    looked: options.onLooked,
    openPanel: options.onOpenPanel,
    openLogs: log.show,
    pageProblem: ({ body }) => log.warn(`${title}: ${body.message}`, body.detail),
  };

  return (data) => {
    const received = readFromPage(data);
    if (received.case === 'message') handle(handlers, received.message);
    if (received.case === 'malformed') log.warn(`${title}: ${received.error.message}`, received.error);
  };
}
