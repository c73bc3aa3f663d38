import type { CodeLimits, SandboxState, SandboxTurn, ToolRequest } from './messages.ts';

/** What the code ended with when it threw this. */
export function thrown(message: string): SandboxState {
  return message.startsWith('InternalError: out of memory')
    ? { kind: 'stopped', why: 'memory' }
    : { kind: 'threw', message };
}

/** What leaves a sandbox: text, counted where the code cannot reach. */
export class Outbox {
  readonly #limits: CodeLimits;
  #state: SandboxState = { kind: 'waits' };
  #requests: ToolRequest[] = [];
  #lines: string[] = [];
  #omitted = 0;
  #calls = 0;
  #printed = 0;

  constructor(limits: CodeLimits) {
    this.#limits = limits;
  }

  /** @returns why it is refused */
  take(kind: string, text: string, call?: Pick<ToolRequest, 'tool' | 'id'>): string | undefined {
    switch (kind) {
      case 'call':
        return call && this.#call({ ...call, args: text });
      case 'line':
        this.#print(text);
        return undefined;
      case 'returned':
        this.#state = this.#returned(text);
        return undefined;
      default:
        this.#state = thrown(text.slice(0, this.#limits.output));
        return undefined;
    }
  }

  get state(): SandboxState {
    return this.#state;
  }

  /** What has come in since the last time. */
  empty(): Pick<SandboxTurn, 'requests' | 'lines' | 'omitted'> {
    const taken = { requests: this.#requests, lines: this.#lines, omitted: this.#omitted };
    this.#requests = [];
    this.#lines = [];
    this.#omitted = 0;
    return taken;
  }

  #call({ id, tool, args }: ToolRequest): string | undefined {
    const { calls, argument } = this.#limits;
    if (this.#calls >= calls) return `${calls} calls are the maximum of one run`;
    if (args.length > argument) {
      return `the arguments of ${tool} are ${args.length} characters long; ${argument} are the maximum`;
    }
    this.#calls += 1;
    this.#requests.push({ id, tool, args });
    return undefined;
  }

  #print(text: string): void {
    const room = this.#limits.output - this.#printed;
    // A line takes room though it is empty.
    this.#printed += text.length + 1;
    if (room > 0) this.#lines.push(text.slice(0, room));
    this.#omitted += Math.max(0, text.length - Math.max(0, room));
  }

  #returned(json: string): SandboxState {
    const { result } = this.#limits;
    if (json.length <= result) return { kind: 'returned', json: json === '' ? undefined : json };
    const message = `What the code returns is ${json.length} characters long; ${result} are the maximum. Return less, such as counts or the first rows.`;
    return { kind: 'threw', message };
  }
}
