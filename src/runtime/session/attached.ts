import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { Ask } from './ask.ts';
import type { Asks } from './asks.ts';
import { composeCapabilities, soleCapabilities } from './capabilities.ts';
import type { Answerer, Attached } from './session.ts';

/** Who is attached to a session, what they can do together, and who runs which ask. */
export class AttachedClients {
  #held: readonly AttachedClient[] = [];
  readonly #asks: Asks;
  readonly #changed: () => void;
  #known: ClientCapabilities | undefined;

  constructor(asks: Asks, known: ClientCapabilities | undefined, changed: () => void) {
    this.#asks = asks;
    this.#known = known;
    this.#changed = changed;
  }

  get count(): number {
    return this.#held.length;
  }

  /**
   * What the attached clients can do, read anew each time. With nobody attached, what the last ones could, or what was
   * promised at `create`; `undefined` while nothing is known, and an ask then waits for whoever comes.
   */
  capabilities(): ClientCapabilities | undefined {
    if (this.#held.length === 0) return this.#known;
    const [only] = this.#held;
    if (only && this.#held.length === 1) return soleCapabilities(only.client.capabilities());
    return composeCapabilities(this.#held.map(({ client }) => client.capabilities()));
  }

  canAnswer(ask: Ask): boolean {
    return this.#held.some(({ client }) => client.can(ask));
  }

  attach(client: Answerer): Attached {
    const own = new AttachedClient(client, this.#asks, {
      freed: () => {
        for (const other of this.#held) if (other !== own) other.tellFreed();
      },
      detached: () => {
        this.#known = this.capabilities();
        this.#held = this.#held.filter((one) => one !== own);
        this.#changed();
      },
    });
    this.#held = [...this.#held, own];
    this.#changed();
    return own;
  }
}

interface AttachedClientOwner {
  freed(): void;
  detached(): void;
}

class AttachedClient implements Attached {
  readonly client: Answerer;
  readonly #asks: Asks;
  readonly #owner: AttachedClientOwner;
  #attached = true;
  #onFreed: (() => void) | undefined;

  constructor(client: Answerer, asks: Asks, owner: AttachedClientOwner) {
    this.client = client;
    this.#asks = asks;
    this.#owner = owner;
  }

  claim(askId: string): boolean {
    const open = this.#asks.find(askId);
    if (!open || !this.#attached) return false;
    if (open.ask.kind === 'elicit') return true;
    open.claimant ??= this;
    return open.claimant === this;
  }

  release(askId: string): void {
    const open = this.#asks.find(askId);
    if (open?.claimant !== this) return;
    open.claimant = undefined;
    this.#owner.freed();
  }

  onFreed(listener: () => void): void {
    this.#onFreed = listener;
  }

  tellFreed(): void {
    this.#onFreed?.();
  }

  detach(): void {
    if (!this.#attached) return;
    this.#attached = false;
    this.#owner.detached();
    for (const { id } of this.#asks.list()) this.release(id);
  }
}
