import type { Operation } from 'effection';
import type { ErrorData } from '../../core/errors/data/error-data.ts';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { Pausable } from '../session/open-ask.ts';

/** A step as its author describes it. */
export interface StepOpening {
  readonly name: string;
  readonly depth: number;
  readonly reads: boolean;
  readonly undo: boolean;
  /** It is a call of another server's tool: the fingerprint of its parameters. */
  readonly call?: string;
}

/**
 * How a step goes on: it is run, or its outcome is known. `id` is unique in its call; `sent` says of a call of another server's tool
 * that it was on its way already, and nobody knows what came of it.
 */
export type StepTurn =
  | { readonly id: string; readonly run: true; readonly attempt: number; readonly sent?: true }
  | { readonly id: string; readonly run: false; readonly outcome: StepOutcome };

/** What a step came to. */
export type StepOutcome =
  | { readonly ok: true; readonly result: JsonValue | undefined }
  | { readonly ok: false; readonly error: ErrorData };

/** Where the steps and sleeps of a tool's code are kept. Everything that crosses it is JSON. */
export interface StepGate {
  /** How many steps run now. */
  running: number;
  /** Whether a replay comes to a call of this tool of another server next. */
  recalls(name: string): boolean;
  /** Opens a step, and waits until it is known how it goes on. */
  open(opening: StepOpening, frame: Pausable): Operation<StepTurn>;
  /** Writes down what a step came to; ends when that is durable. */
  close(id: string, outcome: StepOutcome): Operation<void>;
  /** The tool's code let go of a step that was running. */
  letGo(id: string): void;
  /** Sleeps until a time of day, which a replay keeps. The clocks of the call stand still meanwhile. */
  sleep(milliseconds: number, depth: number, frame: Pausable): Operation<void>;
}

/** The result of an outcome, or its error thrown: live as from a journal, both are made of their data. */
export function outcomeValue(outcome: StepOutcome): JsonValue | undefined {
  if (outcome.ok) return structuredClone(outcome.result);
  throw errorFromData(outcome.error);
}
