import { type Operation, race, suspend, type WithResolvers, withResolvers } from 'effection';
import type { CallAttachment, Calls, GiveAnswer } from '../../calls/port.ts';
import { APP_CALL } from '../../panel-port/index.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { Beside, RequestedCall, Result } from '../request/open-call.ts';
import { betweenLegs } from './between-legs.ts';
import type { FindableCall } from './connection-apps.ts';
import type { OwnPages } from './own-pages.ts';
import { createPagedClient } from './paged-client.ts';

/** What pages do for a call of the later era. */
export interface CallPages {
  /** Who answers what its request brings; the rest, as a rule. */
  client(rest: Client): Client;
  /** Reads what a request brings for a question, where that is not the answer itself; `plain` reads an answer. */
  give?(plain: GiveAnswer): GiveAnswer;
  /** A question as it goes back; as a rule, as it is. */
  asked?(session: Session, ask: Ask): Ask;
  /** Its pages may be asked while a request attends to it; nothing where there are none. */
  leg(session: Session): PagedLeg | undefined;
}

/** A request that attends to a call, while its pages may be asked. */
export interface PagedLeg {
  /** Ends when a question has no page, and no verb of the rest answers it. */
  readonly stranded: Operation<void>;
  /** Where nobody but a page can be asked, it goes on with the call alone; gives what the request is answered with. */
  goOn?(call: RequestedCall, calls: Calls): Operation<Result | undefined>;
  /** Whom what is stranded goes back to; as a rule, the rest as it is. */
  rest?(rest: Client): Client;
  /** What is open goes back to the client: until its next request a page that comes may answer it as well. */
  waits(call: RequestedCall): void;
  /** The request is answered: pages find its call no more, unless it goes on or waits. */
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

  /** The pages of the request's call. */
  pages(found: (session: Session) => FindableCall | undefined): CallPages {
    return {
      client: (rest) => rest,
      leg: (session) => {
        const findable = found(session);
        return findable && this.#leg(session, findable);
      },
    };
  }

  #leg(session: Session, findable: FindableCall): PagedLeg {
    const self = this;
    let goesOn = false;
    const { principal, id: callId } = session;
    const paged = this.#pages.callOf(session);
    paged.legBegins();
    return {
      stranded: this.#stranded.operation,
      *goOn(call, calls) {
        if (asksItself(call.rest)) return undefined;
        goesOn = true;
        const beside = yield* call.attachPage?.(calls, session) ?? [];
        if (beside) return self.#goOnBeside(call, session, findable, beside);
        const { operation, resolve } = withResolvers<void>('the page is attached');
        const result = self.#goOn(call, session, findable, (client) => {
          const attachment: CallAttachment = {
            client,
            resume: (options) => call.resume(options),
            *attended(_, run) {
              resolve();
              return yield* run(client);
            },
          };
          return calls.attach({ principal, conversation: '', callId }, attachment, 'end');
        });
        // Only then the request may leave: the call stays where its page is.
        yield* operation;
        return result;
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

  /** A host whose page is there while the request is open is no slow one. */
  #rememberQuick(session: Session): void {
    if (this.#pages.callOf(session).guests.any) this.#pages.slow.remember(this.#clientInfo, false);
  }

  /** The page of this process goes on with it, too: whichever comes first. */
  #goOnBeside(call: RequestedCall, session: Session, findable: FindableCall, beside: Beside): Result {
    const { slow } = this.#pages;
    slow.hasNotSpoken(this.#clientInfo);
    findable.goesOn({
      found: () => slow.remember(this.#clientInfo, true),
      told: (end) => call.finish(end),
      gone: () => this.#fork(() => session.abort('the client is gone')),
    });
    const { content } = beside.answer();
    return { content, _meta: { [APP_CALL]: session.id } };
  }

  #goOn(
    call: RequestedCall,
    session: Session,
    findable: FindableCall,
    driven: (page: Client) => Operation<unknown>,
  ): Result {
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
      yield* race([driven(page), abandoned()]);
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
