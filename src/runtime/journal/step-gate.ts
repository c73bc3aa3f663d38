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

/** A step whose turn it is. `sent`: a call of another server's tool was on its way already, and nobody knows what came of it. */
export interface StepTurn {
  /** Unique in its call. */
  readonly id: string;
  /** 1 at first. */
  readonly attempt: number;
  readonly sent?: true;
}

/** A step with its code. */
export interface CodedStep extends StepOpening {
  /** Runs it; not where its outcome is known. Never throws. */
  code(turn: StepTurn): Operation<StepOutcome>;
  /** Hears which step it is, before its code runs. */
  opened?(id: string): void;
}

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
  /** Gives what a step came to: what its journal knows of it, or what its code does now, once that is durable. Halting it lets go of it. */
  run(step: CodedStep, frame: Pausable): Operation<StepOutcome>;
  /** Sleeps until a time of day, which a replay keeps. The clocks of the call stand still meanwhile. */
  sleep(milliseconds: number, depth: number, frame: Pausable): Operation<void>;
}

/** The result of an outcome, or its error thrown: live as from a journal, both are made of their data. */
export function outcomeValue(outcome: StepOutcome): JsonValue | undefined {
  if (outcome.ok) return structuredClone(outcome.result);
  throw errorFromData(outcome.error);
}
