/** What code may use. A limit that is reached ends the code, except where it says otherwise. */
export interface CodeLimits {
  /** Milliseconds that the code itself may run: what it waits for does not count. */
  readonly time: number;
  /** Bytes of its memory. */
  readonly memory: number;
  /** Calls of tools; one more throws. */
  readonly calls: number;
  /** Characters of one call's arguments; a call with more throws. */
  readonly argument: number;
  /** Characters of what it prints; the rest is left out. */
  readonly output: number;
  /** Characters of its result, as JSON. */
  readonly result: number;
}

/** What code may use where nobody says otherwise; `docs/code-mode.md` lists it. */
export const DEFAULT_CODE_LIMITS: CodeLimits = {
  time: 10_000,
  memory: 64 * 1024 * 1024,
  calls: 500,
  argument: 1_000_000,
  output: 50_000,
  result: 200_000,
};

/** A tool that the code calls. */
export interface ToolRequest {
  readonly id: number;
  readonly tool: string;
  /** JSON. */
  readonly args: string;
}

/** What came of a call: JSON, or nothing for a tool that returns nothing. */
export type SettledCall =
  | { readonly id: number; readonly ok: true; readonly json: string | undefined }
  | {
      readonly id: number;
      readonly ok: false;
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly code: string | undefined;
      };
    };

/** What the sandbox is told: to begin, or what came of calls. */
export type Input =
  | { readonly kind: 'run'; readonly code: string }
  | { readonly kind: 'settle'; readonly settled: readonly SettledCall[] };

/** Why code was ended. */
export type Stop = 'time' | 'memory' | 'depth';

/** Where the code is after a turn of its own. */
export type SandboxState =
  | { readonly kind: 'waits' }
  | { readonly kind: 'returned'; readonly json: string | undefined }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'stopped'; readonly why: Stop };

/** One turn: from an input until the code waits again, or is over. */
export interface SandboxTurn {
  readonly state: SandboxState;
  /** The calls that it began, in order. */
  readonly requests: readonly ToolRequest[];
  /** The lines that it printed. */
  readonly lines: readonly string[];
  /** Characters of lines that were left out. */
  readonly omitted: number;
  /** Milliseconds that the code has run in all its turns. */
  readonly spent: number;
}

/** What a worker for code is started with. */
export interface CodeWorkerData {
  readonly wasm: WebAssembly.Module;
  readonly limits: CodeLimits;
}
