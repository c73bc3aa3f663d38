import type { Operation } from 'effection';
import * as z from 'zod';
import type { ToolContext } from '#src/core/tool/context.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { Journal, JournalLine } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { placed, questions, settling } from '../session-kit.ts';

export type Ctx = ToolContext<typeof questions>;

/** A durable tool whose code a test writes on the spot. */
export function durable<R>(code: (ctx: Ctx, params: Record<string, unknown>) => Operation<R>) {
  return placed(unplaced(code));
}

/** The same before it has a place, for a plugin that has one as a whole. */
export function unplaced<R>(code: (ctx: Ctx, params: Record<string, unknown>) => Operation<R>) {
  return createMcpTool('probe')
    .description('A tool of a test.')
    .parameters(z.record(z.string(), z.unknown()))
    .durable()
    .elicits(questions)
    .execute((params, ctx) => code(ctx, params));
}

/** A journal as it is after it was kept: JSON, and nobody else's. */
export function kept(journal: Journal): Journal {
  return JSON.parse(JSON.stringify(journal)) as Journal;
}

/** The same, of a session. */
export const journalOf = (session: Session): Journal => kept(session.journal());

/** The first so many lines. */
export function prefix({ header, lines }: Journal, count: number): Journal {
  return kept({ header, lines: lines.slice(0, count) });
}

/** What a line is about, for golden journals. */
export function shortly(line: JournalLine): string {
  switch (line.t) {
    case 'open':
      return `open ${line.id} as ${line.key}: ${line.says}`;
    case 'step':
      return `step ${line.id} ${line.name}${line.attempt > 1 ? ` again (${line.attempt})` : ''}`;
    case 'rewind':
      return `rewind to ${line.to ?? 'here'} (keep ${line.keep})`;
    case 'end':
      return `end ${line.how}`;
    case 'before':
    case 'capabilities':
      return line.t;
    default:
      return `${line.t} ${line.id}`;
  }
}

/** Takes a call up on a manager of its own, as another process does. */
export function* resumed(tool: AnyTool, journal: Journal): Operation<Session> {
  const manager = settling(yield* createSessionManager());
  return yield* manager.resume({ tool, journal: kept(journal) });
}
