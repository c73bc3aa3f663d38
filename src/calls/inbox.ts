import type { Operation } from 'effection';
import type { ClientCapabilities } from '../core/tool/context.ts';
import type { InboxMessage } from '../runtime/journal/call-store.ts';
import type { Ask } from '../runtime/session/ask.ts';
import { canAnswer } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { CallEnding } from './ending.ts';
import { giveAnswers } from './giving.ts';
import type { CallLease } from './lease.ts';
import { type CallMessage, type InboxBody, judge } from './messages.ts';
import { type CallAttachment, CallRefused, type Calls, type CallsParts } from './port.ts';
import { hasGoneBack } from './rounds.ts';
import { earlyOf } from './snapshots.ts';

/** Of how many messages beside rounds it is known that they were taken. */
const MOST_TAKEN = 16;

/** Takes messages for calls that are here, of those who are not attached. */
export class CallInbox {
  readonly #parts: CallsParts;
  readonly #ending: CallEnding;
  readonly #attach: Calls['attach'];

  constructor(parts: CallsParts, ending: CallEnding, attach: Calls['attach']) {
    this.#parts = parts;
    this.#ending = ending;
    this.#attach = attach;
  }

  *takeAll(lease: CallLease, inbox: readonly InboxMessage[]): Operation<void> {
    lease.inbox = [];
    for (const { id, digest, body } of inbox) {
      if (lease.taken.includes(id)) continue;
      lease.taken.push(id);
      const { capabilities, ...said } = Object(body) as InboxBody;
      const message: CallMessage = { ...said, id, digest };
      if (judge(lease.note, message) !== 'new') continue;
      if (message.bound === undefined) yield* this.take(lease, message);
      else this.#takeRound(lease, message, capabilities);
    }
  }

  /** A message that opens a round, brought to another process: its client is attached here, and reads there what it came to. */
  #takeRound(lease: CallLease, message: CallMessage, capabilities: ClientCapabilities = {}): void {
    const { run, report } = this.#parts;
    const can = (ask: Ask) => canAnswer(capabilities, ask);
    const client: Client = { name: 'a client elsewhere', capabilities: () => capabilities, can };
    const attachment: CallAttachment = {
      client,
      resume: () => {
        throw new CallRefused('closed');
      },
    };
    run(() => this.#attach(lease.name, attachment, 'blocked', message)).catch((cause: unknown) => {
      if (!(cause instanceof CallRefused)) report('a message to a call could not be taken', cause, 'state');
    });
  }

  /** A message for a call that is here, of nobody who is attached. */
  *take(lease: CallLease, message: CallMessage): Operation<void> {
    const { session, note } = lease;
    const { id, digest, stop, answers, seen, by } = message;
    if (stop !== undefined) return yield* this.#ending.stopHere(lease, stop);
    lease.note = { ...note, taken: [...(note.taken ?? []), { id, digest }].slice(-MOST_TAKEN) };
    const wentBack = hasGoneBack(lease);
    const giving = giveAnswers(
      {
        ...{ session, give: this.#parts.give, first: false, wentBack, early: earlyOf(lease), seen, by },
        // What only the person in the editor may answer is answered there. What is early is for who attaches.
        takes: (ask) =>
          Object.hasOwn(answers ?? {}, ask.wireKey) && (ask.kind !== 'elicit' || ask.inEditor !== true),
      },
      answers,
    );
    giving.stop();
    for (const durable of giving.given) yield* durable;
  }
}
