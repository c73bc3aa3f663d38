import { type Operation, scoped, suspend, until } from 'effection';
import { errorFromData } from '../core/errors/data/error-from-data.ts';
import { type Offer, toolOf } from '../core/plugin/offer.ts';
import type { Plugin } from '../core/plugin/plugin.ts';
import { checkOptions } from '../core/schema/check-options.ts';
import type { AnyTool, ResultOf } from '../core/tool/tool.ts';
import { ToolDirectoryContext } from '../runtime/context/tool-directory.ts';
import { drive } from '../runtime/drive/drive.ts';
import type { Journal, JournalLine } from '../runtime/journal/lines.ts';
import { createSessionManager } from '../runtime/manager/session-manager.ts';
import type { Answer, Ask } from '../runtime/session/ask.ts';
import type { Client } from '../runtime/session/client.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import { StepDoublesContext } from '../runtime/session/step-doubles.ts';
import { directoryOf } from './called-tools.ts';
import { createMockMcpClient } from './mock-client.ts';
import { type GivenParams, outcomeOf, type RunMcpToolOptions, throwMissing } from './run-mcp-tool.ts';
import { doublesOf, scriptLeft } from './scripted-steps.ts';
import { ToolRun } from './tool-run.ts';

/** What {@link checkReplay} found: the tool can be taken up after each of so many lines. */
export interface ReplayCheck<R = unknown> {
  readonly journal: Journal;
  /** What the tool returned, as JSON; nothing where it was to fail. */
  readonly result: R;
}

/** What a check of a replay may set. */
export interface CheckReplayOptions extends ReplayOptions {
  /**
   * The tool's own file, `new URL('../tools/release.ts', import.meta.url)`: it is taken up in workers as well, as servers and the editor run
   * it, so that nothing but the journal is left of what ran before. Other modules of the test are not there.
   */
  readonly file?: URL | string;
  /** The call is to fail, each time in the same way. */
  readonly expectFailure?: boolean;
}

/** A tool that was taken up from a part of its journal did something else than without an interruption. */
export class ReplayCheckError extends Error {
  override readonly name = 'ReplayCheckError';
}

type ReplayOptions = Omit<RunMcpToolOptions, 'journal'>;

const OPTIONS = ['callId', 'limits', 'parentMessages', 'calls', 'steps'];

/**
 * Runs a tool as `runMcpTool` does, and gives the journal of its call, however that ended.
 *
 * @throws `MissingResponseError` when the script lacks an answer
 */
export function recordMcpTool<T extends AnyTool>(
  tool: T | Plugin<T>,
  params: GivenParams<T>,
  client: Client = createMockMcpClient(),
  options: ReplayOptions = {},
): ToolRun<Journal> {
  checkOptions('recordMcpTool', options, OPTIONS);
  return new ToolRun(function* () {
    const { journal } = yield* recorded(tool, params, client, options);
    return journal;
  });
}

/**
 * Runs a tool to its end, then takes it up after each line of its journal, as after a crash there, and where it then writes other
 * lines, after each of these a second time: it must ask the next question as it did, and come to the same end. Its steps run
 * again where the journal does not know yet what they came to, so give them doubles: modules of your test, or `steps`, as
 * `runMcpTool` takes them.
 *
 * @throws `ReplayCheckError`, which names the line and says what the tool did then and does now; what the tool throws, unless
 *   `expectFailure` is set; `MissingResponseError` when the script lacks an answer
 * @example
 * await checkReplay(release, { branch: 'main' }, client);
 */
export function checkReplay<T extends AnyTool>(
  tool: T | Plugin<T>,
  params: GivenParams<T>,
  client: Client = createMockMcpClient(),
  given: CheckReplayOptions = {},
): ToolRun<ReplayCheck<ResultOf<T>>> {
  checkOptions('checkReplay', given, [...OPTIONS, 'file', 'expectFailure']);
  const { expectFailure = false, file, ...options } = given;
  return new ToolRun(function* () {
    const { journal, end } = yield* recorded(tool, params, client, options);
    const result = expectFailure && end.type === 'error' ? undefined : outcomeOf(end);
    if (expectFailure && end.type === 'result')
      throw new ReplayCheckError(`it was to fail, and came to ${wordsFor(end)}`);
    const here = function* () {
      return tool;
    };
    const once = spread(cutsOf(journal));
    const known = new Set([journal, ...once.map(({ part }) => part)].map(keyOf));
    // A journal that reads as one that was taken up already is no other case.
    const isNew = (one: Journal) => known.size < known.add(keyOf(one)).size;
    const seconds: (Cut & { readonly before: Ran })[] = [];
    for (const { part, where } of once) {
      const before = yield* again({ part, where }, { journal, end }, here);
      if (!isNew(before.journal)) continue;
      for (const longer of cutsOf(before.journal).slice(part.lines.length + 1))
        if (isNew(longer.part))
          seconds.push({ part: longer.part, where: `${where}, and again ${longer.where}`, before });
    }
    for (const { before, ...cut } of spread(seconds)) yield* again(cut, before, here);
    if (file !== undefined) {
      const { builtForWorkers } = yield* until(import('./in-workers.ts'));
      const there = yield* builtForWorkers(file, toolOf(tool).name);
      for (const { part, where } of once)
        yield* again({ part, where: `in a worker ${where}` }, { journal, end }, there);
    }
    return { journal, result: result as ResultOf<T> };

    function* again({ part, where }: Cut, before: Ran, use: () => Operation<Offer>): Operation<Ran> {
      const now = yield* takenUp(use, part, before.journal, client, options);
      const problem = differenceOf(before.end, now.end, now.ranSteps);
      if (problem !== undefined) throw new ReplayCheckError(`taken up ${where}, ${problem}`);
      return now;
    }
  });
}

/** A call that has ended. */
interface Ran {
  readonly journal: Journal;
  readonly end: EndEvent;
}

/** What there is of a call after one of its lines, and which that is. */
interface Cut {
  readonly part: Journal;
  readonly where: string;
}

/** What there is of a call after none of its lines, after one, and so on. */
function cutsOf({ header, lines }: Journal): readonly Cut[] {
  const all = lines.filter(({ t }) => t !== 'end');
  return [undefined, ...all].map((said, count) => ({
    part: { header, lines: all.slice(0, count) },
    where: said ? `after line ${count} of its journal (${nameOf(said, all)})` : 'from its beginning',
  }));
}

/** More restarts than these say nothing new, and take long. */
const MOST = 64;

/** All of a list, or so many of it, from the first to the last. */
function spread<T>(list: readonly T[]): readonly T[] {
  const step = (list.length - 1) / (MOST - 1);
  return step <= 1 ? list : Array.from({ length: MOST }, (_, at) => list[Math.round(at * step)] as T);
}

/** The same for journals that say the same, whenever that was. */
function keyOf({ lines }: Journal): string {
  return JSON.stringify(lines.map((line) => ({ ...line, ms: 0, branches: [], due: 0 })));
}

function* recorded<T extends AnyTool>(
  tool: T | Plugin<T>,
  params: GivenParams<T>,
  client: Client,
  { calls = {}, steps = {}, ...options }: ReplayOptions,
): Operation<Ran> {
  return yield* scoped(function* () {
    yield* ToolDirectoryContext.set(directoryOf(calls).find);
    const doubles = doublesOf(steps);
    yield* StepDoublesContext.set(doubles.of);
    const manager = yield* createSessionManager();
    const capabilities = client.capabilities();
    const session = yield* manager.create({ callId: 'test', ...options, tool, params, capabilities });
    const end = yield* drive(session, client, 'end');
    throwMissing(client);
    if (end.type === 'result') doubles.checkUsed(undefined);
    return { journal: copyOf(session.journal()), end };
  });
}

function* takenUp(
  use: () => Operation<Offer>,
  part: Journal,
  whole: Journal,
  client: Client,
  { calls = {}, steps = {} }: ReplayOptions,
): Operation<Ran & { readonly ranSteps: boolean }> {
  return yield* scoped(function* () {
    yield* ToolDirectoryContext.set(directoryOf(calls).find);
    yield* StepDoublesContext.set(doublesOf(scriptLeft(steps, part)).of);
    const manager = yield* createSessionManager();
    const capabilities = client.capabilities();
    const tool = yield* use();
    const session = yield* manager.resume({ tool, journal: copyOf(part), replay: 'strict', capabilities });
    const end = yield* drive(session, recalling(client, whole), 'end');
    const now = copyOf(session.journal());
    const lines = now.lines.slice(part.lines.length);
    return { journal: now, end, ranSteps: lines.some(({ t }) => t === 'stepped' || t === 'step_failed') };
  });
}

/** A client that answers as it did in a call before. */
function recalling(client: Client, { lines }: Journal): Client {
  function* recall(ask: Ask): Operation<never> {
    const line = lines.find((one) => (one.t === 'answer' || one.t === 'fail') && one.id === ask.id);
    if (line?.t === 'fail') throw errorFromData(line.error);
    // What was never answered then was let go of.
    if (line?.t !== 'answer') yield* suspend();
    return structuredClone((line as { answer: unknown }).answer) as Answer as never;
  }
  return {
    name: 'the client of before',
    capabilities: () => client.capabilities(),
    can: (ask) => client.can(ask),
    elicit: recall,
    sample: recall,
    roots: recall,
  };
}

function differenceOf(then: EndEvent, now: EndEvent, ranSteps: boolean): string | undefined {
  if (now.type === 'error' && now.error.code === 'REPLAY_DIVERGED') return now.error.message;
  // A step that ran again may have given something else, and rightly so.
  const [before, after] = [wordsFor(then), wordsFor(now)];
  return ranSteps || before === after ? undefined : `it came to ${after}, and before to ${before}`;
}

function wordsFor(end: EndEvent): string {
  if (end.type === 'result') return JSON.stringify(end.value) ?? 'nothing';
  return end.type === 'error' ? `the error “${end.error.message}”` : `an end: ${end.reason}`;
}

/** A line by its kind, and by the question or the step that it is about. */
function nameOf(line: JournalLine, all: readonly JournalLine[]): string {
  const id = 'id' in line ? line.id : undefined;
  const named = all.find((one) => one === line || (id && 'id' in one && one.id === id && 'name' in one));
  const name = named && 'name' in named ? named.name : undefined;
  return [line.t, id, name].filter(Boolean).join(' ');
}

function copyOf(journal: Journal): Journal {
  return structuredClone(journal);
}
