import { JournalInvalidError } from '../../core/errors/journal-errors.ts';
import { problemsIn } from '../../core/schema/validate.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { effectiveLines, unfinishedRewind } from './effective.ts';
import { JOURNAL_VERSION, type Journal, type JournalLine, journal } from './lines.ts';
import { Replay, type ReplayedCall, type Strictness } from './replay/replay.ts';
import { stepsLeft } from './rewind-plan.ts';

/** A journal as it was kept. @throws `JournalInvalidError` for anything else */
export function readJournal(value: unknown): Journal {
  const version: unknown = (value as { header?: { v?: unknown } } | null)?.header?.v;
  if (typeof version === 'number' && version > JOURNAL_VERSION) {
    throw new JournalInvalidError({
      problem: `it was written in version ${version} of the format, and this Parley reads versions up to ${JOURNAL_VERSION}`,
    });
  }
  const parsed = journal.safeParse(value);
  if (!parsed.success) {
    throw new JournalInvalidError({
      problem: `what was kept of it is damaged (${problemsIn(parsed.error.issues, value).problem})`,
    });
  }
  return parsed.data;
}

/** How strictly a tool is replayed. @throws `JournalInvalidError` for one that nobody promised anything of */
export function strictnessOf({ def }: AnyTool, wanted: 'strict' | 'lenient' | undefined): Strictness {
  const reads = def.annotations.readOnlyHint === true;
  if (wanted === 'strict' || (wanted === undefined && def.durable)) return 'strict';
  if (wanted === undefined && !reads) {
    throw new JournalInvalidError({
      problem: `'${def.name}' makes changes and is not durable (.durable()), so running it again could repeat them`,
    });
  }
  if (reads) return 'lenient-reads';
  return def.durable ? 'lenient-steps' : 'lenient';
}

/** What takes a call to where the lines of its journal leave it. */
export function upTo(lines: readonly JournalLine[], strictness: Strictness) {
  const counted = effectiveLines(lines);
  return { lines: counted, make: (call: ReplayedCall) => new Replay(call, counted, strictness) };
}

/**
 * How a call is taken up: to where its journal leaves it, or, when its process died while it went back, to where it was
 * before that; `undo` are the steps that are still to be taken back then.
 */
export function takeUp(tool: AnyTool, lines: Journal['lines'], wanted: 'strict' | 'lenient' | undefined) {
  const strictness = strictnessOf(tool, wanted);
  const cut = unfinishedRewind(lines);
  if (!cut) return { up: upTo(lines, strictness) };
  const before = { ...upTo(lines.slice(0, cut.index), strictness), halfway: true };
  return { up: before, undo: stepsLeft(lines, cut.left) };
}
