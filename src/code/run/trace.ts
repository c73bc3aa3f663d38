import { defined } from '../../core/schema/defined.ts';
import type { SandboxState, SandboxTurn } from '../sandbox/messages.ts';

/** What came of a call that the code made. */
export interface ToolCallTrace {
  readonly tool: string;
  outcome: 'ran' | 'failed' | 'refused' | 'stopped';
  /** What it ran with, where the person changed that. */
  edited?: unknown;
  /** Why it did not run, or failed, and what there is to know of the version that ran. */
  message?: string;
}

/** What a model is told of a run. */
export interface CodeReport {
  readonly status: 'done' | 'failed' | 'stopped';
  /** What the code returned. */
  readonly result?: unknown;
  readonly error?: string;
  readonly output?: string;
  readonly calls?: readonly ToolCallTrace[];
}

/** Calls that are told one by one; a run may make more. */
const MOST_CALLS = 100;

const STOPPED = {
  time: 'The code reached its time limit. Do less in one run.',
  memory: 'The code reached its memory limit. Keep less of what tools return.',
  depth: 'The code called itself too deeply.',
};

/** Keeps what a run does and prints. */
export class Trace {
  readonly #calls: ToolCallTrace[] = [];
  readonly #lines: string[] = [];
  #omitted = 0;

  /** A call that has not ended yet. */
  begin(tool: string): ToolCallTrace {
    const call: ToolCallTrace = { tool, outcome: 'stopped' };
    this.#calls.push(call);
    return call;
  }

  heard({ lines, omitted }: SandboxTurn): void {
    this.#lines.push(...lines);
    this.#omitted += omitted;
  }

  report(state: Exclude<SandboxState, { kind: 'waits' }>): CodeReport {
    switch (state.kind) {
      case 'returned': {
        const result: unknown = state.json === undefined ? null : JSON.parse(state.json);
        return { status: 'done', result, ...this.#seen() };
      }
      case 'threw':
        return { status: 'failed', error: state.message, ...this.#seen() };
      case 'stopped':
        return { status: 'stopped', error: STOPPED[state.why], ...this.#seen() };
    }
  }

  /** The person ended it. */
  cancelled(): CodeReport {
    const error = 'The user stopped the code. Ask what they want instead, and do not run it again.';
    return { status: 'stopped', error, ...this.#seen() };
  }

  #seen(): Pick<CodeReport, 'output' | 'calls'> {
    const rest = this.#omitted > 0 ? [`… and ${this.#omitted} more characters`] : [];
    const output = [...this.#lines, ...rest].join('\n');
    const more = this.#calls.length - MOST_CALLS;
    const calls = this.#calls.slice(0, MOST_CALLS).map((call) => ({ ...call }));
    if (more > 0) calls.push({ tool: `… and ${more} more`, outcome: 'ran', message: this.#counts() });
    return {
      ...defined({ output: output === '' ? undefined : output }),
      ...(calls.length > 0 ? { calls } : {}),
    };
  }

  #counts(): string {
    const count = (wanted: ToolCallTrace['outcome']) =>
      this.#calls.filter(({ outcome }) => outcome === wanted).length;
    return `of all ${this.#calls.length}: ${count('ran')} ran, ${count('failed')} failed, ${count('refused')} refused, ${count('stopped')} stopped`;
  }
}
