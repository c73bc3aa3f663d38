import { type Operation, race, suspend, type WithResolvers, withResolvers } from 'effection';
import { APP_CALL } from '../../panel-port/index.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { RequestedCall, Result } from '../request/open-call.ts';
import { betweenLegs } from './between-legs.ts';
import type { FindableCall } from './connection-apps.ts';
import type { OwnPages } from './own-pages.ts';
import { createPagedClient } from './paged-client.ts';

/** A leg of a call of the later era, while its pages may be asked. */
export interface PagedLeg {
  /** Ends when a question has no page, and no verb of the rest answers it. */
  readonly stranded: Operation<void>;
  /** Whether nobody but a page can be asked: what is stranded then waits for a page that comes late. */
  isOnlyWay?(call: RequestedCall): boolean;
  /** The call goes on with its pages alone; gives what its request is answered with. */
  goOn?(call: RequestedCall, session: Session): Result;
  /** Whom what is stranded goes back to; as a rule, the rest as it is. */
  rest?(rest: Client): Client;
  /** A question as it goes back; as a rule, as it is. */
  asked?(ask: Ask): Ask;
  /** Whether what a client brings for a question is for the leg to read. */
  takes?(ask: Ask, wire: unknown): boolean;
  /** What is open goes back to the client: until the next leg a page that comes may answer it as well. */
  waits(call: RequestedCall): void;
  /** The leg is over: pages find its call no more, unless it goes on or waits. */
  over(): void;
}

/**
 * One request for a call that is asked on a page. It stays open until the call is over (the held way), unless the host shows no page
 * before that and has no other way to ask: then it is answered at once, the call goes on, and its page tells the model of the end
 * (the early way).
 */
export class PagedRequest {
  readonly #host: ServerParts;
  readonly #pages: OwnPages;
  readonly #clientInfo: unknown;
  readonly #stranded: WithResolvers<void> = withResolvers<void>();

  constructor(host: ServerParts, pages: OwnPages, clientInfo: unknown) {
    this.#host = host;
    this.#pages = pages;
    this.#clientInfo = clientInfo;
  }

  /** Whoever answers this request's call, and pages. */
  over(rest: Client): Client {
    const pages = this.#pages;
    const stranded = this.#stranded;
    return createPagedClient({
      rest,
      callOf: ({ session }) => pages.callOf(session),
      patience: () => (asksItself(rest) ? pages.patience : pages.patienceWith(this.#clientInfo)),
      *stranded() {
        stranded.resolve();
        return yield* suspend() as Operation<never>;
      },
    });
  }

  /** The pages of one leg of the request's call. */
  leg(session: Session, findable: FindableCall): PagedLeg {
    let goesOn = false;
    const paged = this.#pages.callOf(session);
    paged.legBegins();
    return {
      stranded: this.#stranded.operation,
      isOnlyWay: ({ rest }) => !asksItself(rest),
      goOn: (call) => {
        goesOn = true;
        return this.#goOn(call, session, findable);
      },
      waits: ({ client }) => {
        goesOn = true;
        this.#fork(betweenLegs(session, paged, client));
      },
      over: () => {
        this.#rememberQuick(session);
        if (!goesOn) findable.over();
      },
    };
  }

  /** Runs a call to its end, or to where it goes on without its request. */
  *run(call: RequestedCall, session: Session, findable: FindableCall): Operation<Result> {
    const stranded = this.#stranded.operation;
    let goesOn = false;
    try {
      const end = yield* race([drive(session, call.client, 'end'), stranded]);
      this.#rememberQuick(session);
      if (end) return call.finish(end);
      goesOn = true;
      return this.#goOn(call, session, findable);
    } finally {
      if (!goesOn) findable.over();
    }
  }

  /** A host whose page is there while the request is open is no slow one. */
  #rememberQuick(session: Session): void {
    if (this.#pages.callOf(session).guests.any) this.#pages.slow.remember(this.#clientInfo, false);
  }

  #goOn(call: RequestedCall, session: Session, findable: FindableCall): Result {
    const { slow } = this.#pages;
    findable.goesOn({
      found: () => slow.remember(this.#clientInfo, true),
      told: (end) => call.finish(end),
      gone: () => this.#fork(() => session.abort('the client is gone')),
    });
    const paged = this.#pages.callOf(session);
    const abandoned = () => this.#abandoned(session);
    // Nothing is sent for a request that was answered: only the page answers from here on.
    const page: Client = {
      name: call.client.name,
      capabilities: () => ({ elicitation: { form: true } }),
      can: (ask) => ask.kind === 'elicit',
      maxAttempts: () => Number.POSITIVE_INFINITY,
      elicit: paged.answer,
    };
    const { manager } = this.#host;
    this.#fork(function* () {
      yield* race([drive(session, page, 'end'), abandoned()]);
      manager.forget({ principal: session.principal, callId: session.id });
    });
    return {
      content: [{ type: 'text', text: waitsText(session.toolName) }],
      _meta: { [APP_CALL]: session.id },
    };
  }

  #fork(op: () => Operation<unknown>): void {
    this.#host
      .run(op)
      .catch((cause) => this.#host.report('a call that continued without its request failed', cause));
  }

  /** A call whose page nobody shows waits as long as a client may take to answer. */
  *#abandoned(session: Session): Operation<void> {
    yield* this.#pages.callOf(session).unseen(this.#host.askTimeout);
    yield* session.abort('the question on its page was not answered');
  }
}

/** Whether somebody can be asked without a page. */
function asksItself(rest: Client): boolean {
  return rest.capabilities().elicitation?.form === true;
}

/** For the model: what it has in place of a result. */
function waitsText(tool: string): string {
  return (
    `${tool} asks the user on a page that is shown with this call, and continues there. There is no result yet, and this is not a failure: ` +
    'do not call it again, and do not ask the user yourself. Tell the user to answer on the page, and end your turn: ' +
    'when the call is done, the page adds its result to this conversation. If no page is shown, this client cannot ask the user: tell the user.'
  );
}
