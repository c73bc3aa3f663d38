import { randomInt } from 'node:crypto';
import { type Operation, race, sleep, suspend, until } from 'effection';
import type { Calls } from '../../calls/port.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { aborted } from '../../runtime/call/aborted.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OwnPages } from '../apps/own-pages.ts';
import { profileOf } from '../clients/profile.ts';
import type { PageHere } from '../published/page-here.ts';
import { invalidParams } from '../wire/rpc/rpc-error.ts';
import { digestOf } from '../wire/state/state.ts';
import { attachBeside, type BesideParts, goOnBeside } from './beside.ts';
import { claimsOf } from './claims.ts';
import { onPages, withPage } from './on-pages.ts';
import type { CallPages, RequestedCall, Result } from './open-call.ts';
import { createReporter } from './reporter.ts';
import type { WireRequest } from './wire-request.ts';
import type { PersonClient } from './with-person.ts';

/** The tool by which a client comes back to a call that was answered before its end. */
export const RESULT_TOOL = 'parley_result';

/** How long a request is held where nothing tells its client that it lives, and how long before it gives up otherwise, milliseconds. */
const HELD = 45_000;
const BEFORE = 30_000;
/** How long a result is kept for whoever comes back, milliseconds; and how many calls may go on without their request. */
const KEPT = 10 * 60_000;
const MOST = 200;

/** What they need of their server. */
export interface EarlyParts extends BesideParts {
  readonly heartbeat: number;
}

/** A call whose request may be answered before it is over. */
interface Early {
  readonly id: string;
  readonly principal: string;
  /** Which tool was called with what: the same again is this call. */
  readonly digest: string;
  readonly tool: string;
  /** Its client has {@link RESULT_TOOL}; else it calls the same again. */
  readonly isListed: boolean;
  readonly session: Session;
  readonly over: Promise<Result>;
  /** When it was over, milliseconds since the epoch. */
  ended?: number;
  /** Its result has been read. */
  collected?: true;
}

/** What calls come to that are answered before they are over, with an id to come back by: their clients give up waiting. */
export class EarlyResults {
  readonly #here: PageHere;
  readonly #parts: EarlyParts;
  readonly #pages: OwnPages;
  readonly #calls = new Map<string, Early>();
  /** Calls whose request is held while the page is attached. */
  readonly #held = new Set<Session>();

  constructor(here: PageHere, pages: OwnPages, parts: EarlyParts) {
    this.#here = here;
    this.#pages = pages;
    this.#parts = parts;
  }

  /** Attaches the page to a call: it answers whatever the call asks the person, as long as the request is held, and after that. */
  *attach(
    request: WireRequest,
    call: RequestedCall,
    calls: Calls,
    session: Session,
    tell: (message: string) => void,
  ): Operation<CallPages> {
    const { over, leave } = yield* attachBeside(this.#parts, calls, session, this.asking(request, tell));
    this.#held.add(session);
    let goesOn = false;
    const self = this;
    return {
      client: withPage(call.rest, this.present(call.rest.name)),
      due: request.method === 'tools/call' ? this.#due(request, session) : suspend(),
      *answer() {
        goesOn = true;
        const { name, given } = call.callable;
        const early: Early = {
          ...{ id: newId(), principal: session.principal, tool: name, isListed: call.hasResultTool, session },
          digest: digestOf([clientOf(request), name, given]),
          over: over.then((end) => (end ? call.finish(end) : GONE)),
        };
        const isOver = () => {
          early.ended = Date.now();
        };
        early.over.then(isOver, isOver);
        self.#keep(early);
        goOnBeside(self.#parts, self.#pages, session, over);
        return self.#early(early);
      },
      *leave() {
        self.#held.delete(session);
        if (!goesOn) yield* leave();
      },
    };
  }

  /** The client of the page, for a call of this client's. */
  asking(request: WireRequest, tell?: (message: string) => void): PersonClient {
    const parts = { run: this.#parts.run, pages: this.#pages, tell: () => tell?.(this.#waiting) };
    return this.#here.client(parts, claimsOf(request).client ?? request.name);
  }

  /** The same after a client that has answered for the person: where nobody can see the page, nobody was asked. */
  person(request: WireRequest, tell?: (message: string) => void): PersonClient {
    const page = this.asking(request, tell);
    const unseen = this.#isShown(request) ? suspend() : this.#here.noBrowser;
    function* nobody(): Operation<ElicitAnswer<unknown>> {
      yield* unseen;
      return { action: 'cancel', answeredBy: 'client' };
    }
    return { ...page, elicit: (ask, io) => race([page.elicit(ask, io), nobody()]) };
  }

  /** Its client shows the person what it hears of progress. */
  #isShown({ clientInfo, progressToken }: WireRequest): boolean {
    return progressToken !== undefined && profileOf(clientInfo).progress === true;
  }

  /** Somebody is there who can be asked beside the client. */
  get isThere(): boolean {
    return this.#here.isThere;
  }

  /** How many requests of a caller wait for the person: nothing comes of these by itself. */
  asked(principal: string): number {
    const isAsking = (session: Session) => session.openAsks().some(({ kind }) => kind === 'elicit');
    return [...this.#held].filter((session) => session.principal === principal && isAsking(session)).length;
  }

  get #waiting(): string {
    const { where, isInWindow } = this.#here;
    if (isInWindow) return 'Asks you in VS Code';
    return where ? `Asks you in your browser. If you do not see it: ${where}` : 'Asks you in your browser';
  }

  /** The page, as the client at the other end of a request sees it: it says where the person answers, who is asked beside it. */
  present(wire: string): Client {
    const said = () => this.#waiting;
    return {
      ...onPages(wire, this.#pages),
      get waiting() {
        return said();
      },
      elicit: () => suspend() as Operation<never>,
    };
  }

  /** A list of tools, for a client that may be answered early: a handle is no structured content. */
  listed(result: Result): Result {
    const tools = (Array.isArray(result.tools) ? result.tools : []).map((tool: unknown) => {
      const { outputSchema: _, ...rest } = isObject(tool) ? tool : {};
      return rest;
    });
    return { ...result, tools: result.nextCursor === undefined ? [...tools, ENTRY] : tools };
  }

  /** The call that a request comes back to: by the id that it has, or because it asks for the same again. @throws `RpcError` */
  of(request: WireRequest): Early | undefined {
    const { name, arguments: given = {} } = request.params;
    const principal = request.caller.name;
    if (name !== RESULT_TOOL) {
      const digest = digestOf([clientOf(request), name, given]);
      return this.#mine(principal).find((one) => one.digest === digest && !one.collected);
    }
    const id = isObject(given) ? given.id : undefined;
    if (typeof id !== 'string') throw invalidParams(`${RESULT_TOOL}: 'id' is missing or not text`);
    return this.#mine(principal).find((one) => one.id === id.trim().toLowerCase());
  }

  /** What came of it, as long as its client waits; else the same words again. */
  *result(request: WireRequest, early: Early | undefined): Operation<Result> {
    if (!early) return UNKNOWN;
    const { signal } = request.awaited;
    const reporter = createReporter(early.tool, request);
    const beating = setInterval(() => reporter.heartbeat(this.#waiting), this.#parts.heartbeat);
    try {
      const result = yield* race([until(early.over), this.#due(request, early.session), aborted(signal)]);
      if (!result) return this.#early(early);
      early.collected = true;
      return result;
    } finally {
      clearInterval(beating);
    }
  }

  /** When a request should be answered whatever its call does. */
  *#due(request: WireRequest, session: Session): Operation<void> {
    const { timeout } = profileOf(request.clientInfo);
    const held =
      this.#here.options.held ??
      (request.progressToken !== undefined && timeout ? Math.max(timeout - BEFORE, HELD) : HELD);
    const unseen = this.#isShown(request) ? suspend() : this.#unseen(session);
    yield* race([sleep(held), unseen]);
  }

  /** Ends when a call asks and nothing here opens its page: its client has to say where it is. */
  *#unseen(session: Session): Operation<void> {
    yield* this.#here.noBrowser;
    while (session.openAsks().every(({ kind }) => kind !== 'elicit'))
      yield* session.nextEvent(session.events().at(-1)?.at ?? 0);
  }

  #mine(principal: string): Early[] {
    this.#forgetOld();
    return [...this.#calls.values()].filter((one) => one.principal === principal);
  }

  #keep(early: Early): void {
    this.#forgetOld();
    this.#calls.set(early.id, early);
    const over = [...this.#calls.values()].find(({ ended }) => ended !== undefined);
    if (this.#calls.size > MOST && over) this.#calls.delete(over.id);
  }

  #forgetOld(): void {
    const now = Date.now();
    for (const { id, ended = now } of this.#calls.values()) if (now - ended > KEPT) this.#calls.delete(id);
  }

  /** In place of a result. One that has to have structured content is listed so to clients that have no tool for it. */
  #early(early: Early): Result {
    const { isListed, session } = early;
    const content = [{ type: 'text', text: this.#waits(early) }];
    return { content, ...(!isListed && session.tool.def.output && { isError: true }) };
  }

  /** For the model. */
  #waits({ id, tool, isListed, session }: Early): string {
    const [back, never] = isListed
      ? [`${RESULT_TOOL} {"id":"${id}"}`, `Do not call ${tool} again for this, do not`]
      : [`${tool} again with the same arguments`, 'Do not'];
    const { where, isInWindow } = this.#here;
    const isAsking = session.openAsks().some(({ kind }) => kind === 'elicit');
    if (!isAsking)
      return `NOT DONE YET, and no failure: ${tool} continues. Call ${back}: it waits, and gives the result of ${tool}.`;
    const seen = where ? ` If they do not see it: ${where}` : '';
    const place = isInWindow
      ? 'in their VS Code window, under Waiting in the Parley view. Tell the user to answer there. '
      : `on a page in their browser.${seen} Tell the user to answer there, with that address. `;
    return (
      `NOT DONE YET, and no failure: ${tool} is asking the user a question ${place}` +
      `Then call ${back}: it waits, and gives the result of ${tool}. ` +
      `${never} open the page yourself, and do not make up the answer.`
    );
  }
}

const GONE: Result = { content: [{ type: 'text', text: 'The call ended without a result.' }], isError: true };

const UNKNOWN: Result = {
  content: [
    {
      type: 'text',
      text: 'There is no call with this id: its result was kept for ten minutes, or the server was started again. Call the tool again.',
    },
  ],
  isError: true,
};

const ENTRY = {
  name: RESULT_TOOL,
  description:
    'Waits for a call of another tool of this server that answered "NOT DONE YET", and gives its result. Call it only with the id from that answer.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', description: 'The id from that answer.' } },
    required: ['id'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Which program calls, by its name: another one of the same person begins a call of its own. */
function clientOf({ clientInfo }: WireRequest): unknown {
  return isObject(clientInfo) ? clientInfo.name : undefined;
}

/** Short enough for a model to repeat, of characters that it does not mix up. */
function newId(): string {
  return Array.from({ length: 8 }, () => 'abcdefghjkmnpqrstuvwxyz23456789'[randomInt(31)]).join('');
}
