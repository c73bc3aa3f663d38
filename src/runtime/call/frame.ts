import type { Message } from '../../core/messages/content.ts';
import { growsFrom } from '../data/json-messages.ts';
import type { MachineClock } from '../time/machine-clock.ts';

/** How many tokens the samplings of a frame may use, and have used. */
export interface TokenBudget {
  readonly allowed: number;
  used: number;
}

/** What a frame starts with. */
export interface FrameOptions {
  readonly parent?: Frame;
  /** A call inside a call is as deep as what called it. */
  readonly sameDepth?: boolean;
  /** The deepest level that may be opened below. */
  readonly maxDepth: number;
  readonly tokens?: TokenBudget | undefined;
  readonly messages?: readonly Message[];
  /** The history around it, where that is not the parent's. */
  readonly parentMessages?: readonly Message[] | undefined;
  readonly inheritedPrompt?: string | undefined;
}

/**
 * One level of a call: the call itself (depth 0) or a branch. Holds what differs between levels: history, limits,
 * clock and signal.
 */
export class Frame {
  readonly parent: Frame | undefined;
  readonly depth: number;
  readonly maxDepth: number;
  readonly tokens: TokenBudget | undefined;
  /** The parent's history when this began. */
  readonly parentMessages: readonly Message[];
  /** Machine time; only a frame with a time limit, and the call itself, has one. */
  clock: MachineClock | undefined;
  /** The system prompt for samplings that give none. */
  readonly inheritedPrompt: string | undefined;
  /** The system prompt used last: what branches below inherit. */
  lastPrompt: string | undefined;
  /** Ends the branch with an error thrown at `ctx.branch`; the call itself has none. */
  fail: ((error: Error) => void) | undefined;

  /** The call of another server's tool that this level is, by its id in the journal. */
  step: string | undefined;

  #history: Message[] | undefined;
  #messages: readonly Message[];
  /** Made when somebody reads the signal: most calls never do. */
  #ending: AbortController | undefined;
  #ended = false;
  #closed = false;
  #children: Set<Frame> | undefined;

  constructor(options: FrameOptions) {
    this.parent = options.parent;
    this.depth = options.parent ? options.parent.depth + (options.sameDepth ? 0 : 1) : 0;
    this.maxDepth = options.maxDepth;
    this.tokens = options.tokens;
    this.inheritedPrompt = options.inheritedPrompt;
    this.lastPrompt = options.inheritedPrompt;
    this.parentMessages = options.parentMessages ?? options.parent?.messages ?? NO_MESSAGES;
    this.#messages = options.messages ?? NO_MESSAGES;
    options.parent?.adopt(this);
  }

  /** The history of prompt samplings: frozen, and the same array until it changes. */
  get messages(): readonly Message[] {
    if (this.#history && this.#history.length !== this.#messages.length) {
      const grown = Object.freeze([...this.#history]);
      growsFrom(grown, this.#messages, this.#history);
      this.#messages = grown;
    }
    return this.#messages;
  }

  /** Adds to the history. */
  remember(...messages: readonly Message[]): void {
    this.#history ??= [...this.#messages];
    this.#history.push(...messages);
  }

  /** Aborts when this level ends. */
  get signal(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#ended) this.#ending.abort();
    return this.#ending.signal;
  }

  /** Stops the clocks of this level and of all above it; restarts them with what it returns. */
  pause(): () => void {
    const clocks = [...this.#clocks()];
    for (const clock of clocks) clock.pause();
    return () => {
      for (const clock of clocks) clock.resume();
    };
  }

  get within(): string | undefined {
    return this.step ?? this.parent?.within;
  }

  spent(): readonly number[] | undefined {
    const clocks = this.#limited();
    return clocks.length > 0 ? clocks.map((clock) => clock.elapsed()) : undefined;
  }

  setSpent(spent: readonly number[]): void {
    for (const [index, clock] of this.#limited().entries()) clock.restore(spent[index] ?? clock.elapsed());
  }

  /** Ends this level and all below it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.clock?.close();
    for (const child of this.#children ?? []) child.close();
    this.parent?.disown(this);
    this.#ended = true;
    this.#ending?.abort();
  }

  get closed(): boolean {
    return this.#closed || this.parent?.closed === true;
  }

  /** A branch begins. */
  adopt(child: Frame): void {
    this.#children ??= new Set();
    this.#children.add(child);
  }

  /** A branch has ended. */
  disown(child: Frame): void {
    this.#children?.delete(child);
  }

  /** The clocks of limited branches, the outermost first; the call's own is not among them. */
  #limited(): readonly MachineClock[] {
    return [...this.#clocks()].slice(0, -1).reverse();
  }

  *#clocks(): Generator<MachineClock> {
    for (let frame: Frame | undefined = this; frame; frame = frame.parent) {
      if (frame.clock) yield frame.clock;
    }
  }
}

const NO_MESSAGES: readonly Message[] = Object.freeze([]);
