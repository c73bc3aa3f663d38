import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { HeldCall } from '../../runtime/manager/held-call.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { OpenCall, Result } from '../request/open-call.ts';
import type { StateBinding } from '../wire/state/state.ts';

/** What a request brings of a call: nothing, when it is the first. */
export interface Brought {
  /** The `requestState` it carries, if any. */
  readonly state: unknown;
  /** The `inputResponses` it carries, by key. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A call while one of its requests is served. It ends with `park`, `end`, `fail` or `leave`. */
export interface Leg {
  readonly session: Session;
  /** Answers that came before their question, by key; each is used once. */
  readonly early: Map<string, unknown>;
  /** It has gone back since its client was answered last: what the client says early is of what was taken back. */
  readonly wentBack?: boolean;
  /** Where its log and progress go on. */
  at: number;
  /** Whether it does more than wait for answers: then it must not leave yet. */
  readonly isBusy?: () => boolean;
  /** Keeps it in this process as long as the leg lasts; returns what stops that. */
  keepUp?(): () => void;
  /** It waits for its client: the answer to the request, with the state that opens the next leg. */
  park(questions: Result): Operation<Result>;
  /** It is over, and answered with this. */
  end(result: Result): Operation<void>;
  /** It is over, for its client: what went wrong is thrown. */
  fail(): Operation<void>;
  /** It goes on in this process without its client, which gets no state for it; absent where calls are kept elsewhere. */
  readonly leave?: () => void;
  /**
   * It goes on without its client, which is answered with this: whoever has it from here on has what keeps it, too. Absent where
   * calls are in their clients' hands.
   */
  letGo?(result: Result, notes: JsonObject): Operation<HeldCall | undefined>;
}

/** Answers that came before their question, as they are kept while a call waits. */
export interface KeptEarly {
  /** By key. */
  readonly early: readonly (readonly [string, unknown])[];
  /** How often the call had gone back by then; never, where nothing is said. */
  readonly rewinds?: number | undefined;
}

/** What is kept of early answers. */
export function keptEarly(session: Session, early: Leg['early']): KeptEarly {
  const rewinds = session.rewinds();
  return { early: [...early], ...(rewinds > 0 && { rewinds }) };
}

/** What of a leg comes of that: answers are void once the call has gone back. */
export function earlyIn(
  session: Session,
  { early, rewinds = 0 }: KeptEarly,
): Required<Pick<Leg, 'early' | 'wentBack'>> {
  const wentBack = session.rewinds() !== rewinds;
  return { early: new Map(wentBack ? [] : early), wentBack };
}

/** Where the calls of 2026-era clients are between two of their requests. */
export interface CallHome<T extends Leg | Result = Leg | Result> {
  /**
   * The call that a request is about, or a new one; its leg has begun. Or the answer, where another request has brought the same
   * before.
   *
   * @throws `-32602` for a state that cannot be used (again)
   */
  open(call: OpenCall, brought: Brought, binding: StateBinding): Operation<T>;
  /** Forgets the calls of a principal who is gone, and gives those that still run. */
  abandon(principal: string): readonly Session[];
}

/** Whether it is a leg, and no answer. */
export function isLeg(opened: Leg | Result): opened is Leg {
  return 'session' in opened && 'early' in opened;
}
