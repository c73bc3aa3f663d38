import type { Scope } from 'effection';
import type { Message } from '../../core/messages/content.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolLimits } from '../../core/tool/tool.ts';
import type { JournalStart } from '../journal/journaling-call.ts';
import type { ReportFault } from '../session/faults.ts';
import type { Session } from '../session/session.ts';
import type { MachineClock, TimeSource } from '../time/machine-clock.ts';
import { Frame } from './frame.ts';

/** What calls live in: the manager's part. */
export interface CallKeeper<C extends Session = Session> {
  /** Tasks of all calls run here; it outlives whoever created them. */
  readonly scope: Scope;
  readonly time: TimeSource;
  readonly diagnose: ReportFault;
  readonly cleanupGrace: number;
  readonly maxLogEvents: number;
  /** Whether it takes no more calls, and ends those it has. */
  readonly closing: boolean;
  /** Its status, or who is attached, has changed. */
  changed(call: C): void;
  /** Its last event is out. */
  ended(call: C): void;
  /** Its code has come to rest: nothing of it runs any more. */
  rested(call: C): void;
}

/** What a call is made of. `params` are parsed already. */
export interface CallOptions {
  readonly id: string;
  readonly key: string;
  readonly principal: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  readonly params: unknown;
  readonly capabilities: ClientCapabilities | undefined;
  readonly limits: ToolLimits;
  readonly parentMessages: readonly Message[] | undefined;
  readonly journal: JournalStart;
}

/** Level 0 of a call. */
export function rootFrame(
  { limits, parentMessages }: Pick<CallOptions, 'limits' | 'parentMessages'>,
  clock: MachineClock,
): Frame {
  const root = new Frame({
    parentMessages,
    maxDepth: limits.maxDepth ?? Number.POSITIVE_INFINITY,
    tokens: limits.maxTokens === undefined ? undefined : { allowed: limits.maxTokens, used: 0 },
  });
  root.clock = clock;
  return root;
}
