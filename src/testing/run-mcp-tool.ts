import { scoped } from 'effection';
import { CallAbortedError } from '../core/errors/call-errors.ts';
import { errorFromData } from '../core/errors/data/error-from-data.ts';
import type { Message } from '../core/messages/content.ts';
import { toolOf } from '../core/plugin/offer.ts';
import type { Plugin } from '../core/plugin/plugin.ts';
import { checkOptions } from '../core/schema/check-options.ts';
import type { AnyTool, ParamsInputOf, ResultOf, ToolLimits } from '../core/tool/tool.ts';
import { ToolDirectoryContext } from '../runtime/context/tool-directory.ts';
import { drive } from '../runtime/drive/drive.ts';
import type { Journal } from '../runtime/journal/lines.ts';
import { createSessionManager } from '../runtime/manager/session-manager.ts';
import type { Client } from '../runtime/session/client.ts';
import type { EndEvent } from '../runtime/session/events.ts';
import { StepDoublesContext } from '../runtime/session/step-doubles.ts';
import { type CalledTools, directoryOf } from './called-tools.ts';
import { refuseForgotten, reportSlips } from './first-run.ts';
import { createMockMcpClient, type MockMcpClient } from './mock-client.ts';
import { doublesOf, type ScriptedSteps } from './scripted-steps.ts';
import { ToolRun } from './tool-run.ts';

/** What a call of a test may set. */
export interface RunMcpToolOptions {
  /** `test` by default. */
  readonly callId?: string;
  readonly limits?: ToolLimits;
  /** The conversation that the call comes from. */
  readonly parentMessages?: readonly Message[];
  /** The tools that it calls with `ctx.call`, by name: a tool is run, anything else is what the call gives. */
  readonly calls?: CalledTools;
  /** What its steps give in place of their code, by name: `{ reserve: [{ id: 7 }] }`. Others run. */
  readonly steps?: ScriptedSteps;
  /**
   * What `recordMcpTool` gave: the call goes on from there, with its parameters and its callId, and the client is asked only
   * for what it does not have.
   */
  readonly journal?: Journal;
}

const OPTIONS = ['callId', 'limits', 'parentMessages', 'calls', 'steps', 'journal'];

/** Parameters as a caller gives them, before the schema's defaults and transforms; anything for a tool of unknown types. */
export type GivenParams<T> = ParamsInputOf<T>;

/**
 * Runs a tool to its end with a client that answers, the way the editor and every server run it. It begins when it is
 * awaited or yielded.
 *
 * @returns what the tool returns, as JSON.
 * @throws what the tool throws; `ParamsInvalidError` and `McpCapabilityError` before any of its code;
 *   `MissingResponseError` when the script lacks an answer; `UnusedDoubleError` when it has one for a step or a tool that there is not;
 *   `CallAbortedError` when it was aborted.
 *
 * @example
 * const client = createMockMcpClient({ elicitResponses: [{ action: 'accept', content: { name: 'Ada' } }] });
 * expect(await runMcpTool(greet, { greeting: 'Hello' }, client)).toBe('Hello, Ada');
 */
export function runMcpTool<T extends AnyTool>(
  tool: T | Plugin<T>,
  params: GivenParams<T>,
  client: Client = createMockMcpClient(),
  given: RunMcpToolOptions = {},
): ToolRun<ResultOf<T>> {
  checkOptions('runMcpTool', given, OPTIONS);
  const { calls = {}, steps, journal, ...options } = given;
  const op = () =>
    scoped(function* () {
      const directory = directoryOf(calls);
      yield* ToolDirectoryContext.set(directory.find);
      const doubles = steps && doublesOf(steps);
      if (doubles) yield* StepDoublesContext.set(doubles.of);
      yield* reportSlips(toolOf(tool));
      const manager = yield* createSessionManager();
      const capabilities = client.capabilities();
      const session = journal
        ? yield* manager.resume({ tool, journal: structuredClone(journal), replay: 'strict', capabilities })
        : yield* manager.create({ callId: 'test', ...options, tool, params, capabilities });
      const end = yield* drive(session, client, 'end');
      throwMissing(client);
      // A call that failed may not have come to them.
      if (end.type === 'result') {
        doubles?.checkUsed(journal);
        directory.checkUsed();
        refuseForgotten(toolOf(tool));
      }
      return outcomeOf(end) as ResultOf<T>;
    });
  return new ToolRun(op);
}

/** @throws `MissingResponseError` for the first answer that the script of a client lacked, whatever the tool made of that */
export function throwMissing(client: Client): void {
  const [missing] = (client as Partial<MockMcpClient>).missing ?? [];
  if (missing) throw missing;
}

/** What a call gave. @throws what it failed with */
export function outcomeOf(end: EndEvent): unknown {
  switch (end.type) {
    case 'result':
      return end.value;
    case 'error':
      throw errorFromData(end.error);
    case 'aborted':
      throw new CallAbortedError({ reason: end.reason });
  }
}
