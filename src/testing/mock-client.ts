import { type Operation, run, suspend, until, useScope } from 'effection';
import { formOf } from '../core/page/form-of.ts';
import { checkOptions } from '../core/schema/check-options.ts';
import { defined } from '../core/schema/defined.ts';
import { isObject } from '../core/schema/is-object.ts';
import type { ElicitAnswer, FormAskRequest, SampleAnswer, SampleAskRequest } from '../core/tool/ask.ts';
import type { ClientCapabilities, Root } from '../core/tool/context.ts';
import type { ElicitRef } from '../core/tool/elicit.ts';
import type { ElicitReply } from '../core/tool/elicit-refusal.ts';
import { runHandler } from '../runtime/context/run-handler.ts';
import { type ElicitAsk, pageIdOf, type SampleAsk } from '../runtime/session/ask.ts';
import { canAnswer, EVERYTHING } from '../runtime/session/capabilities.ts';
import type { AskIo, Client } from '../runtime/session/client.ts';
import {
  InsteadRequest,
  type KeyedScript,
  MissingResponseError,
  readScript,
  type Script,
  type ScriptReader,
} from './script.ts';
import { scriptedViews, type ViewScript } from './scripted-views.ts';
import type { InsteadOfAnswer } from './stop-call.ts';
import type { ElicitEntry, RootsEntry, SampleEntry, TranscriptEntry } from './transcript.ts';

/** What a function that answers a question is given. */
export type MockElicitRequest = ElicitRef &
  Omit<FormAskRequest, 'mode' | 'elicitationId'> & {
    /** `url` for a page to open: it has a form without fields. */
    readonly mode?: 'url';
    readonly url?: string;
    readonly elicitationId?: string;
    readonly id: ElicitRef;
    readonly askId: string;
    readonly attempt: number;
    readonly problem?: string;
  };

/**
 * An answer to a question: `{ action: 'accept', content }`, `{ action: 'decline' }`, `{ action: 'cancel' }` or {@link reply}. Fields that
 * the content does not have are sent as the form begins them; one that is `undefined` is left empty.
 */
export type MockElicitResponse = ElicitAnswer<unknown>;

/**
 * A word back in the place of an answer, to a question with `replies: true`.
 *
 * @example
 * const client = createMockMcpClient({ elicitResponses: [reply('Which of the two?'), { action: 'decline' }] });
 */
export function reply(text: string): Pick<ElicitReply, 'action' | 'text'> {
  return { action: 'reply', text };
}

/** An answer of the model: its text, or a full sampling result. */
export type MockSampleResponse =
  | string
  | (Pick<SampleAnswer, 'content'> & Partial<Omit<SampleAnswer, 'content'>>);

/** Answers to questions: in order, by function, or either of these by the elicitation's key. */
export type ElicitScript = KeyedScript<MockElicitRequest, MockElicitResponse>;

/** What a function that answers for the model is given. `key` is the sampling's own, else `sample`. */
export type MockSampleRequest = SampleAskRequest & Pick<ElicitRef, 'key'>;

/** Answers of the model: in order, by function, or either of these by the sampling's key, as branches that ask at once have one each. */
export type SampleScript = KeyedScript<MockSampleRequest, MockSampleResponse>;

/** What a mock client can do, also as a client says it on the wire: `{ elicitation: {} }` means forms, `{ sampling: {} }` no tools. */
export type MockCapabilities = Omit<ClientCapabilities, 'sampling'> & {
  readonly sampling?: Partial<NonNullable<ClientCapabilities['sampling']>>;
};

/** What the mock client can do and says. */
export interface MockMcpClientOptions {
  /** Everything by default. */
  readonly capabilities?: MockCapabilities;
  readonly elicitResponses?: ElicitScript;
  readonly sampleResponses?: SampleScript;
  readonly roots?: readonly Root[];
  /**
   * What the person does in views. With it, questions for which the plugin has a handler go to that handler, as in the panel;
   * `elicitResponses` answer the others.
   */
  readonly viewResponses?: ViewScript;
}

const OPTIONS = ['capabilities', 'elicitResponses', 'sampleResponses', 'roots', 'viewResponses'];

/** A client that answers from a script and writes down what it was told. */
export interface MockMcpClient extends Client {
  /** Everything the tool said, in order, with the full requests. */
  readonly transcript: readonly TranscriptEntry[];
  /** Answers that the script lacked: a test fails with the first, also when the tool caught it. */
  readonly missing: readonly MissingResponseError[];
  /** Answers that nobody asked for, each as a sentence: `expect(client.unused).toEqual([])`. */
  readonly unused: readonly string[];
}

/** What was declared, in full: a client that asks in ways it does not name asks with forms. */
function asOnTheWire({ elicitation, sampling, ...rest }: MockCapabilities): ClientCapabilities {
  const { form, url } = elicitation ?? {};
  return {
    ...rest,
    ...(elicitation ? { elicitation: form || url ? elicitation : { form: true } } : {}),
    ...(sampling ? { sampling: { tools: false, ...sampling } } : {}),
  };
}

/**
 * Makes a client that plays the person and the model.
 *
 * @example
 * const client = createMockMcpClient({
 *   elicitResponses: { pickFlight: { action: 'accept', content: { flightId: 'KL1693' } } },
 *   sampleResponses: ['Pack light.'],
 * });
 * const ticket = await runMcpTool(bookFlight, { from: 'AMS', destination: 'LIS' }, client);
 */
export function createMockMcpClient(options: MockMcpClientOptions = {}): MockMcpClient {
  checkOptions('createMockMcpClient', options, OPTIONS);
  const { roots = [] } = options;
  const capabilities = options.capabilities ? asOnTheWire(options.capabilities) : EVERYTHING;
  const transcript: TranscriptEntry[] = [];
  const missing: MissingResponseError[] = [];
  const elicits = readersOf(options.elicitResponses, 'elicitResponses');
  const views = options.viewResponses && scriptedViews(options.viewResponses, transcript);
  const samples = readersOf(options.sampleResponses, 'sampleResponses');

  function* scripted<T>({ session }: AskIo, op: () => Operation<T>): Operation<T> {
    try {
      return yield* op();
    } catch (error) {
      const instead = insteadIn(error);
      if (instead?.kind === 'parley.stop-call') {
        // From outside, as the person's Stop: what asks is halted by it.
        const scope = yield* useScope();
        scope.run(() => session.abort(instead.reason)).catch(() => {});
        yield* suspend();
      }
      if (instead?.kind === 'parley.go-back') {
        const to = answeredIn(session, instead.key);
        if (to !== undefined) {
          // Not in this verb, which is halted by it.
          yield* until(run(() => session.rewind(to)));
          yield* suspend();
        }
        const none = new MissingResponseError(
          `goBack('${instead.key}'): no question of that key was answered before`,
        );
        missing.push(none);
        throw none;
      }
      if (error instanceof MissingResponseError) missing.push(error);
      throw error;
    }
  }

  return {
    name: 'mock client',
    transcript,
    missing,
    get unused() {
      return [...elicits.unused(), ...samples.unused(), ...(views?.unused() ?? [])];
    },
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
    *elicit(ask, io) {
      const entry = elicitEntry(ask);
      transcript.push(entry);
      const asked = `the tool '${ask.ref.toolName}' asked '${ask.ref.key}' (“${ask.request.message}”)`;
      const response = yield* scripted(io, () =>
        views && hasHandler(ask, io)
          ? (runHandler(io.session, ask, views.port) as Operation<MockElicitResponse>)
          : filledIn(ask, elicits.of(ask.ref.key).next(requestOf(ask), asked, ask.problem)),
      );
      entry.response = response;
      return response;
    },
    *sample(ask, io) {
      const { depth, request, ref } = ask;
      const { key } = ref;
      const entry: SampleEntry = { type: 'sample', key, depth, request };
      transcript.push(entry);
      const next = () => samples.of(key).next({ ...request, key }, describeSampling(ask));
      const response = answerOf(yield* scripted(io, next));
      entry.response = response;
      return response;
    },
    *roots() {
      const entry: RootsEntry = { type: 'roots', response: roots };
      transcript.push(entry);
      return { roots };
    },
    *log({ level, message, data, depth }) {
      transcript.push({ type: 'log', level, message, ...defined({ data }), depth });
    },
    *completed({ elicitationId }) {
      transcript.push({ type: 'completed', elicitationId });
    },
    *notify({ message, value, total, depth }) {
      transcript.push({
        type: 'notify',
        message,
        ...defined({ value, total }),
        depth,
      });
    },
  };
}

interface KeyedReaders<Request, Response> {
  of(key: string): ScriptReader<Request, Response>;
  unused(): readonly string[];
}

function readersOf<Request, Response>(
  script: KeyedScript<Request, Response> | undefined,
  option: string,
): KeyedReaders<Request, Response> {
  if (script === undefined || isScript(script)) {
    const reader = readScript(script, option);
    return { of: () => reader, unused: reader.unused };
  }
  const readers = new Map<string, ScriptReader<Request, Response>>();
  return {
    of(key) {
      let reader = readers.get(key);
      if (!reader) {
        const own = Object.hasOwn(script, key) ? script[key] : undefined;
        // One answer under a key is the answer to every question of that key. A cast, for types cannot know that an answer is no list.
        const always = own === undefined || isScript(own) ? own : () => own;
        reader = readScript(
          always as Script<Request, Response> | undefined,
          `${option}['${key}']`,
          Object.keys(script),
        );
        readers.set(key, reader);
      }
      return reader;
    },
    unused: () => [
      ...[...readers.values()].flatMap((reader) => reader.unused()),
      ...Object.keys(script)
        .filter((key) => !readers.has(key))
        .map((key) => `${option}['${key}']: it was never asked`),
    ],
  };
}

function hasHandler(ask: ElicitAsk, { session }: AskIo): boolean {
  return ask.declared && typeof session.realm(ask)?.plugin?.client.handlers[ask.ref.key] === 'function';
}

/** A person who accepts a form sends what its fields begin with, but for those that they change or empty. */
function* filledIn(
  { request }: ElicitAsk,
  said: Operation<MockElicitResponse>,
): Operation<MockElicitResponse> {
  const response = yield* said;
  if (response?.action !== 'accept' || !isObject(response.content)) return response;
  const begun = Object.entries(formOf(request).properties).map(([name, field]) => [name, field.default]);
  const fields = Object.entries({ ...Object.fromEntries(begun), ...response.content });
  return { ...response, content: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

/** Where a handler was stopped in the middle, it is the cause of the handler's failure. */
function insteadIn(error: unknown): InsteadOfAnswer | undefined {
  if (error instanceof InsteadRequest) return error.instead;
  return error instanceof Error && error.cause !== undefined ? insteadIn(error.cause) : undefined;
}

/** The last question of a key that was answered, by its id. */
function answeredIn(session: AskIo['session'], key: string): string | undefined {
  const events = session.events();
  const answered = new Set(
    events.flatMap((event) => (event.type === 'ask_closed' && event.how === 'answered' ? [event.id] : [])),
  );
  const asked = events.flatMap((event) =>
    event.type === 'elicit_request' && event.ask.ref.key === key && answered.has(event.ask.id)
      ? [event.ask.id]
      : [],
  );
  return asked.at(-1);
}

function isScript<T>(value: T): value is Extract<T, readonly unknown[] | ((...args: never) => unknown)> {
  return Array.isArray(value) || typeof value === 'function';
}

function requestOf(ask: ElicitAsk): MockElicitRequest {
  const { id, attempt, problem } = ask;
  return {
    ...ask.request,
    ...(ask.request.mode === 'url' ? { elicitationId: pageIdOf(ask) } : {}),
    requestedSchema: formOf(ask.request),
    ...ask.ref,
    id: ask.ref,
    askId: id,
    attempt,
    ...defined({ problem }),
  };
}

function elicitEntry({ ref, request, attempt, problem }: ElicitAsk): ElicitEntry {
  return { type: 'elicit', key: ref.key, request, attempt, ...defined({ problem }) };
}

function answerOf(response: MockSampleResponse): SampleAnswer {
  if (typeof response === 'string') {
    return {
      role: 'assistant',
      content: { type: 'text', text: response },
      model: 'mock-model',
      stopReason: 'endTurn',
    };
  }
  return { role: 'assistant', model: 'mock-model', ...response };
}

function describeSampling({ ref, request }: SampleAsk): string {
  const last = request.messages.at(-1);
  const blocks = last === undefined ? [] : [last.content].flat();
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
  return `the tool '${ref.toolName}' sampled (“${text.length > 80 ? `${text.slice(0, 80)}…` : text}”)`;
}
