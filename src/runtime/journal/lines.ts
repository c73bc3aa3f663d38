import * as z from 'zod';
import type { ErrorData } from '../../core/errors/data/error-data.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';

/** The newest version of header and lines that is read. One that meets a newer says so, and replays nothing. */
export const JOURNAL_VERSION = 2;
/** What is written, but for calls that an older Parley would replay otherwise than they ran. */
export const COMMON_VERSION = 1;

/** Whether the header of a journal was written by a newer Parley, which has to go on with it: nothing else in it is understood here. */
export function isNewerJournal(header: unknown): boolean {
  const { v } = Object(header) as { readonly v?: unknown };
  return typeof v === 'number' && v > JOURNAL_VERSION;
}

const json = z.custom<JsonValue>((value) => value !== undefined);
const count = z.int().nonnegative();
const id = z.string().regex(/^(elicit|sample|roots|step|sleep)-[1-9]\d{0,8}$/);

/** An error as JSON. Open, for details differ. */
const error = z.looseObject({ name: z.string(), message: z.string() });
const errorData = z.custom<ErrorData>((value) => error.safeParse(value).success);

const can = z.strictObject({
  elicitation: z.optional(z.object({ form: z.optional(z.literal(true)), url: z.optional(z.literal(true)) })),
  sampling: z.optional(z.object({ tools: z.boolean(), context: z.optional(z.literal(true)) })),
  roots: z.optional(z.literal(true)),
  editor: z.optional(z.literal(true)),
});
const capabilities = z.custom<ClientCapabilities>((value) => can.safeParse(value).success);

const limits = z.object({
  timeout: z.optional(z.number()),
  maxDepth: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
});

/** What a journal begins with: the call, as it was made. */
export const journalHeader = z.object({
  v: z.literal([COMMON_VERSION, JOURNAL_VERSION]),
  /** The version of Parley that wrote it. */
  parley: z.string(),
  tool: z.string(),
  /** A hash of the tool's code, where whoever loaded it knows one. It informs, and never refuses. */
  code: z.optional(z.string()),
  callId: z.string(),
  principal: z.string(),
  conversation: z.string(),
  /** The program that made it, as it calls itself. */
  client: z.optional(z.object({ name: z.string(), version: z.string() })),
  /** As they were given. Absent where they were not JSON: such a call cannot be replayed. */
  params: z.optional(json),
  limits: z.optional(limits),
  /** The conversation that the call came from. */
  parentMessages: z.optional(z.array(json)),
  /** What its clients could do when it began; absent while nobody had said so. */
  capabilities: z.optional(capabilities),
  /** Milliseconds since the epoch. */
  began: z.number(),
  /** Questions of tools that it calls at once are open at once (version 2). */
  together: z.optional(z.literal(true)),
  /** It is in its client's hand, which can bring it again: what it did once may be done many times. */
  carried: z.optional(z.literal(true)),
});

/** Of every line: milliseconds of the call's machine time when it was written, and those of its branches with a limit. */
const at = { ms: z.number(), branches: z.optional(z.array(z.number())) };

/** A fingerprint of what the author's code said, and its first words, for people. */
const said = { print: z.string(), says: z.string() };

/** The tool's code asked. */
const opened = z.object({
  t: z.literal('open'),
  id,
  kind: z.enum(['elicit', 'sample', 'roots']),
  /** Its key on the 2026-07-28 wire. */
  key: z.string(),
  /** The author's name for it. */
  name: z.optional(z.string()),
  depth: count,
  /** The call of another server's tool that asked. What came of the call is given as a whole, so this is not asked again. */
  within: z.optional(id),
  ...said,
  ...at,
});

/** The tool's code let go of an ask, a step or a sleep that had no outcome. One whose answer is on the line before never saw it. */
const withdrawn = z.object({ t: z.literal('withdraw'), id, ...at });

/** An answer, as it was given and not as it was parsed. */
const answered = z.object({ t: z.literal('answer'), id, answer: json, ...at });

/** An answer that did not fit: the question was asked again, for the `attempt`th time. */
const refused = z.object({ t: z.literal('refused'), id, attempt: count, problem: z.string(), ...at });

/** An ask failed; the error is thrown where it was asked. */
const failed = z.object({ t: z.literal('fail'), id, error: errorData, ...at });

/**
 * A step began, or a call of another server's tool; with an `attempt` above 1, again, for nobody knows what came of it.
 */
const step = z.object({
  t: z.literal('step'),
  id,
  name: z.string(),
  depth: count,
  attempt: z.int().positive(),
  /** It has no effect: a rewind passes it. */
  reads: z.optional(z.literal(true)),
  /** A rewind can take it back. */
  undo: z.optional(z.literal(true)),
  /** It is a call of the tool `name`: the fingerprint of its parameters. */
  call: z.optional(z.string()),
  /** The same line again: the call is on its way now, and was allowed. */
  sent: z.optional(z.literal(true)),
  ...at,
});

/** What a step came to; without a `result` it gave nothing. */
const stepped = z.object({ t: z.literal('stepped'), id, result: z.optional(json), ...at });

/** A step threw. */
const stepFailed = z.object({ t: z.literal('step_failed'), id, error: errorData, ...at });

/** A sleep began. `due` is milliseconds since the epoch: a time of day. */
const timer = z.object({ t: z.literal('timer'), id, depth: count, due: z.number(), ...at });

/** A sleep is over. */
const elapsed = z.object({ t: z.literal('elapsed'), id, ...at });

/** What `before` of a durable tool handed on. */
const before = z.object({ t: z.literal('before'), value: z.optional(json), ...at });

/** What the clients of the call can do from here on; absent while nobody says so. */
const changed = z.object({ t: z.literal('capabilities'), capabilities: z.optional(capabilities), ...at });

/**
 * The call goes on from its first `keep` lines: replay leaves out what lies between those and this one. `undo` are the steps
 * to take back, in this order.
 */
const rewound = z.object({
  t: z.literal('rewind'),
  keep: count,
  /** The question that is asked again; absent where a changed tool went on from here. */
  to: z.optional(id),
  undo: z.array(id),
  ...at,
});

/** A step was taken back. */
const undone = z.object({ t: z.literal('undo'), id, ...at });

/** How the call ended. */
const ended = z.object({
  t: z.literal('end'),
  how: z.enum(['result', 'error', 'aborted']),
  value: z.optional(json),
  error: z.optional(errorData),
  reason: z.optional(z.string()),
  ...at,
});

/** One line of a journal: something that came into a call, or what it did between. */
export const journalLine = z.discriminatedUnion('t', [
  opened,
  withdrawn,
  answered,
  refused,
  failed,
  step,
  stepped,
  stepFailed,
  timer,
  elapsed,
  before,
  changed,
  rewound,
  undone,
  ended,
]);

/** A journal, whole: the call as a value that can be kept, carried and replayed. */
export const journal = z.object({ header: journalHeader, lines: z.array(journalLine) });

/** What {@link journalHeader} describes. */
export type JournalHeader = z.infer<typeof journalHeader>;
/** What {@link journalLine} describes. */
export type JournalLine = z.infer<typeof journalLine>;
/** A line of one type. */
export type LineOf<T extends JournalLine['t']> = Extract<JournalLine, { t: T }>;
/** A call as it is kept: its header, and a line for each thing that came into it. */
export type Journal = z.infer<typeof journal>;
