import * as z from 'zod/mini';
import { count } from './count.ts';
import { jsonObject } from './json.ts';

/** The tools by which a page that an MCP host shows talks with the call it belongs to. Only pages see them. */
export const APP_TOOLS = { watch: 'parley_page_watch', send: 'parley_page_send' } as const;

/** What `watch` takes: waits for messages to the page after `after`, at most 25 s. */
export const watchInput = z.object({
  /** Stands in the page as it was drawn, for one call. */
  ticket: z.string(),
  /** What the tool was called with: with the tool's name it finds the call, the first time. */
  input: jsonObject,
  after: count,
  /** What the host says that the request of the call was, and what its result says that the call is. */
  request: z.optional(z.union([z.string(), z.number()])),
  call: z.optional(z.string()),
  /** The host has shown its result: a call that still runs is another one, however alike they look. */
  over: z.optional(z.boolean()),
  /** What the host calls the call in its conversation, also when that is opened again, or its window was loaded again. */
  hostCall: z.optional(z.string()),
});

/** Where the result of a call that goes on without its request names the call, in `_meta`. */
export const APP_CALL = 'parley/call';

/** What `send` takes: messages of the page, in their order. Made when it is used: bundlers keep what calls a method. */
export const sendInput = () =>
  z.object({ ticket: z.string(), messages: z.array(jsonObject).check(z.maxLength(100)) });

/** What `watch` gives. */
export const watched = z.object({
  /**
   * `open`: watch on. `ended`: nothing more will come. `elsewhere`: this page cannot tell which call it belongs to, or
   * the call is not asked here.
   */
  state: z.enum(['open', 'ended', 'elsewhere']),
  /** Messages of the panel's port, in order. */
  messages: z.array(jsonObject),
  /** Up to where these go: the next `after`. */
  at: count,
  /** With the end of a call whose result the model has not been given: what it should be told. */
  told: z.optional(z.object({ content: z.array(jsonObject), structuredContent: z.optional(jsonObject) })),
});

/** {@link watched}, parsed. */
export type Watched = z.infer<typeof watched>;

/** {@link watchInput}, parsed. */
export type WatchInput = z.infer<typeof watchInput>;
/** {@link sendInput}, parsed. */
export type SendInput = z.infer<ReturnType<typeof sendInput>>;
