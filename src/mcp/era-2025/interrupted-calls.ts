import type { Operation } from 'effection';
import * as z from 'zod';
import { isMovable } from '../../calls/movable-tool.ts';
import type { ShownCalls } from '../../calls/port.ts';
import { shownTitle } from '../../core/messages/readable-name.ts';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { codeVersionOf } from '../../core/world/code-version.ts';
import { PARLEY_VERSION } from '../../core/world/version.ts';
import { callKey } from '../../runtime/journal/call-key.ts';
import type { StoredCall } from '../../runtime/journal/call-store.ts';
import type { JournalHeader } from '../../runtime/journal/lines.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { ServerParts } from '../host.ts';
import type { Callable, RequestedCall, Result } from '../request/open-call.ts';
import { digestOf } from '../wire/state/state.ts';

const CHOICES = ['continue', 'anew'] as const;
type Choice = (typeof CHOICES)[number];

/** Asks the person what becomes of a call that a dead process has left. */
const interruptedCall = createMcpTool('interrupted_call')
  .description('Asks the user whether an interrupted call continues.')
  .parameters(z.object({ title: z.string(), at: z.string(), answers: z.int() }))
  .title('Interrupted Call')
  .elicits({
    choice: z.object({
      choice: z.enum(CHOICES).meta({ title: 'Interrupted call', enumNames: ['Continue', 'Start over'] }),
    }),
  })
  .execute(function* ({ title, at, answers }, ctx) {
    const after = `${answers} ${answers === 1 ? 'answer' : 'answers'}`;
    const message = `A call of ${title} from ${at} was interrupted after ${after}. Do you want to continue it, or start over?`;
    return (yield* ctx.elicit.strict('choice', { message, person: true })).choice;
  });

/** Calls that processes before this one have left: offered to the person when the same client asks for the same. */
export class InterruptedCalls {
  readonly #shown: ShownCalls;
  readonly #report: ServerParts['report'];
  /** What the person has said, until the call is asked for that they said it of. */
  readonly #said = new Map<string, Choice>();
  /** Those that the person is asked about now. */
  readonly #asked = new Set<string>();

  constructor(shown: ShownCalls, report: ServerParts['report']) {
    this.#shown = shown;
    this.#report = report;
  }

  /**
   * Asks the person where there is such a call; the request's goes on with it where they want that. Gives what the request is answered with where it
   * does not go on.
   *
   * @param program what the client calls itself
   * @param ask serves a call that asks
   */
  *offer(
    call: RequestedCall,
    program: string | undefined,
    ask: (callable: Callable) => Operation<Result>,
  ): Operation<Result | undefined> {
    const { callable, principal, client, stays } = call;
    const { tool, params, refuse } = callable;
    if (program === undefined || stays || !isMovable(tool) || !client.capabilities().elicitation?.form)
      return undefined;
    const given = digestOf(params);
    const left = yield* this.#left(
      (header) =>
        header.tool === tool.name &&
        header.code === codeVersionOf(tool) &&
        header.parley === PARLEY_VERSION &&
        header.principal === principal &&
        header.client?.name === program &&
        !this.#asked.has(callKey(header)) &&
        digestOf(header.params) === given,
    );
    if (!left) return undefined;
    const key = callKey(left.name);
    if (!this.#said.has(key)) {
      this.#asked.add(key);
      try {
        const result = yield* ask(this.#asking(callable, left, key));
        if (!this.#said.has(key)) return result;
      } finally {
        this.#asked.delete(key);
      }
    }
    const choice = this.#said.get(key);
    this.#said.delete(key);
    const store = yield* this.#shown.store();
    // Its time may be over, or another process may have been asked at the same moment.
    const outcome = yield* store?.claim(left.name) ?? [];
    // Nothing is left that would be done twice.
    if (choice === 'anew' && outcome?.type === 'unknown') return undefined;
    if (outcome?.type !== 'claimed')
      return refuse({ code: 'CALL_INTERRUPTED', name: 'Error', message: notHere(outcome?.type) });
    if (choice === 'continue') call.takesUp = outcome;
    else yield* store?.forget(left.name) ?? [];
    return undefined;
  }

  /** A call of a dead process, where the store can be read: what cannot be looked for keeps no call from beginning. */
  *#left(isSame: (header: JournalHeader) => boolean): Operation<StoredCall | undefined> {
    try {
      return yield* this.#shown.interrupted?.(isSame) ?? [];
    } catch (error) {
      this.#report('interrupted calls could not be read', error, 'state');
      return undefined;
    }
  }

  #asking({ name, tool, ...callable }: Callable, { lines, header }: StoredCall, key: string): Callable {
    const answers = lines.filter((line) => Object(line).t === 'answer').length;
    const { began } = header as JournalHeader;
    const at = new Date(began).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
    const finish = (end: EndEvent): Result => {
      const said = end.type === 'result' ? CHOICES.find((one) => one === end.value) : undefined;
      if (said) this.#said.set(key, said);
      const text = said
        ? `The user has answered. Call ${name} again with the same arguments.`
        : `The user did not say whether the interrupted call of ${name} continues. Nothing was done.`;
      return { content: [{ type: 'text', text }], ...(!said && { isError: true }) };
    };
    const params = { title: shownTitle(tool), at, answers };
    return { ...callable, name, served: interruptedCall, tool: interruptedCall, params, finish };
  }
}

function notHere(is: 'held' | 'unknown' | undefined): string {
  return is === 'held'
    ? 'The interrupted call continues in another program. Nothing was done here.'
    : 'The interrupted call was stopped, or has ended in another program. Nothing was done here.';
}
