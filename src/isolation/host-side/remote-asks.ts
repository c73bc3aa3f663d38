import { HandlerError } from '../../core/errors/call-errors.ts';
import { ElicitationPendingError } from '../../core/errors/elicit-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import type { IsolatedTool } from '../../core/errors/isolation-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyElicitHandler, AnyPlugin } from '../../core/plugin/plugin.ts';
import { defined } from '../../core/schema/defined.ts';
import type { BehindContext } from '../../runtime/call/behind-context.ts';
import { checkElicitAnswer } from '../../runtime/context/elicit-ask.ts';
import { checkRootsAnswer } from '../../runtime/context/roots-ask.ts';
import { checkSampleAnswer } from '../../runtime/context/sample-ask.ts';
import type { Answer } from '../../runtime/session/ask.ts';
import { requirementOf } from '../../runtime/session/capabilities.ts';
import type { AskDraft, OpenAsk, Verdict } from '../../runtime/session/open-ask.ts';
import type { ReportOf } from '../wire/reports.ts';
import type { Connection } from './connection.ts';
import { runRemoteHandler } from './remote-handler.ts';
import { unseenSchema } from './unseen-schema.ts';

/** What the asks of a remote call need. */
export interface RemoteAsksOptions {
  readonly connection: Connection;
  readonly behind: BehindContext;
  readonly call: number;
  readonly tool: IsolatedTool;
  /** The plugin as it stands here; absent for a bare tool. */
  readonly plugin: AnyPlugin | undefined;
  /** A number that the other realm has not heard yet. */
  nextSerial(): number;
}

/** The asks of a call whose tool is in another realm: opened there, answered here, checked there. */
export class RemoteAsks {
  readonly #options: RemoteAsksOptions;
  readonly #open = new Map<number, OpenAsk>();
  readonly #checks = new Map<number, (verdict: Verdict) => void>();

  constructor(options: RemoteAsksOptions) {
    this.#options = options;
  }

  /** The tool asks. What may not be asked fails where it was asked. */
  open(report: ReportOf<'open'>): void {
    const { connection, behind, call } = this.#options;
    const { ask, subject } = report;
    const { asks } = behind.call;
    try {
      if (this.#open.has(ask)) throw new Error(`ask ${ask} is open already`);
      behind.call.require(requirementOf(subject));
      const { key } = report;
      const pending = subject.kind === 'elicit' ? asks.pendingKey() : undefined;
      if (pending !== undefined) throw new ElicitationPendingError(key ?? 'elicit', pending);
      const open = asks.open(this.#draft(report, key));
      this.#open.set(ask, open);
      open.whenSettled((outcome) => {
        this.#open.delete(ask);
        const { id } = open.ask;
        if (outcome.ok) {
          connection.send({ type: 'settle', call, ask, id, answer: outcome.value as JsonValue });
        } else connection.send({ type: 'fail', call, ask, error: errorData(outcome.error) });
      });
    } catch (error) {
      connection.send({ type: 'fail', call, ask, error: errorData(error) });
    }
  }

  /** The tool's code does not wait for it any more. */
  withdraw(ask: number): void {
    const open = this.#open.get(ask);
    this.#open.delete(ask);
    if (open) this.#options.behind.call.asks.withdraw(open);
  }

  /** What checking came to. */
  conclude({ check, problem }: ReportOf<'verdict'>): void {
    const conclude = this.#checks.get(check);
    this.#checks.delete(check);
    // What it was parsed to stays there.
    conclude?.(problem === undefined ? { ok: true, value: undefined, answer: null } : { ok: false, problem });
  }

  #draft(report: ReportOf<'open'>, key: string | undefined): AskDraft {
    const { behind } = this.#options;
    const { ask, depth } = report;
    const subject = report.subject as AskDraft['subject'];
    return {
      subject,
      key,
      depth,
      ...defined({ path: behind.path }),
      frame: { pause: () => this.#pause(ask, depth) },
      check: (id, given) => this.#check(ask, subject.kind, id, given),
      ...(subject.kind === 'elicit' && {
        realm: {
          plugin: this.#pluginFor(ask),
          params: behind.params,
          // It stays in the realm of the tool, as do the schemas.
          handoff: undefined,
          schema: unseenSchema,
          context: subject.request.context ?? {},
        },
      }),
    };
  }

  #check(
    ask: number,
    kind: AskDraft['subject']['kind'],
    id: string,
    given: Answer,
  ): Verdict | Promise<Verdict> {
    const verdict =
      kind === 'sample'
        ? checkSampleAnswer(id, given)
        : kind === 'roots'
          ? checkRootsAnswer(id, given)
          : checkElicitAnswer(id, given, (content) => this.#checkContent(ask, content));
    return verdict instanceof Promise ? verdict.then(withAnswer) : withAnswer(verdict);
  }

  #checkContent(ask: number, content: JsonValue): Promise<Verdict> {
    const { connection, call, nextSerial } = this.#options;
    const check = nextSerial();
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    this.#checks.set(check, resolve);
    connection.send({ type: 'check', call, ask, check, content });
    return promise.then((verdict) =>
      verdict.ok ? { ...verdict, answer: { action: 'accept', content } } : verdict,
    );
  }

  #pause(ask: number, depth: number): () => void {
    const { connection, behind, call } = this.#options;
    const resume = behind.frame.pause();
    // The clock of the call is here; those of its branches are there.
    if (depth > 0) connection.send({ type: 'pause', call, ask, paused: true });
    return () => {
      resume();
      if (depth > 0) connection.send({ type: 'pause', call, ask, paused: false });
    };
  }

  /** The plugin with handlers that know which question they are for. */
  #pluginFor(ask: number): AnyPlugin | undefined {
    const { plugin, behind, connection, call, tool, nextSerial } = this.#options;
    if (!plugin) return undefined;
    const { toolName, handlers } = plugin.client;
    const handler: AnyElicitHandler = (request, ctx) => {
      // As it stands now: it may have been asked again.
      const found = behind.call.asks.find(request.askId)?.ask;
      if (found?.kind !== 'elicit') throw new HandlerError(`the question '${request.askId}' is closed`);
      const elicit = { ...found, ref: { ...found.ref, toolName } };
      const handling = nextSerial();
      return runRemoteHandler({ connection, tool, call, ask, handling, elicit }, ctx);
    };
    const named = Object.keys(handlers).map((key) => [key, handler]);
    return { ...plugin, client: { ...plugin.client, handlers: Object.fromEntries(named) } };
  }
}

/** What was answered is what the other realm gets. */
function withAnswer(verdict: Verdict): Verdict {
  return verdict.ok ? { ...verdict, value: verdict.answer } : verdict;
}
