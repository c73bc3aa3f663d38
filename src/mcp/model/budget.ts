import { ModelQuotaError } from '../../core/errors/sampling-errors.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';

/** What one principal may spend of the model in an hour. */
export interface ModelLimits {
  /** Samplings. */
  readonly calls: number;
  /** Tokens, those of prompts included. */
  readonly tokens: number;
}

const HOUR = 3_600_000;

/** Principals that are remembered at once; who has been quiet for longest is forgotten. */
const MOST = 10_000;

interface Account {
  readonly since: number;
  calls: number;
  tokens: number;
}

/** What principals have spent, each within an hour of its own. */
export class Budget {
  readonly #limits: ModelLimits;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();

  constructor(limits: ModelLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Counts a sampling that may cost so many tokens, before it is made: those that run at once count together. Returns what sets
   * right how many it came to. @throws `ModelQuotaError`
   */
  spend(principal: string, tokens: number): (spent: number) => void {
    const account = this.#account(principal);
    const { calls, tokens: most } = this.#limits;
    if (account.calls >= calls) throw this.#spent(account, `${calls} samplings`);
    if (account.tokens + tokens > most) throw this.#spent(account, `${most} tokens`);
    account.calls += 1;
    account.tokens += tokens;
    return (spent) => {
      account.tokens += spent - tokens;
    };
  }

  #account(principal: string): Account {
    const now = this.#now();
    const known = this.#accounts.get(principal);
    const account = known && now - known.since < HOUR ? known : { since: now, calls: 0, tokens: 0 };
    keepLast(this.#accounts, [principal, account], MOST);
    return account;
  }

  #spent({ since }: Account, what: string): Error {
    const minutes = Math.max(1, Math.ceil((since + HOUR - this.#now()) / 60_000));
    return new ModelQuotaError(`The limit of ${what} per hour is used up. Try again in ${minutes} min.`);
  }
}
