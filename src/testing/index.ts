/**
 * Tests a tool without an editor or a network, in any test runner.
 *
 * @packageDocumentation
 */

import './node/hooks.ts';

export type { Journal } from '../runtime/journal/lines.ts';
export type { CalledTools, ScriptedCall } from './called-tools.ts';
export {
  createMockMcpClient,
  type ElicitScript,
  type MockCapabilities,
  type MockElicitRequest,
  type MockElicitResponse,
  type MockMcpClient,
  type MockMcpClientOptions,
  type MockSampleRequest,
  type MockSampleResponse,
  reply,
  type SampleScript,
} from './mock-client.ts';
export {
  type CheckReplayOptions,
  checkReplay,
  type ReplayCheck,
  ReplayCheckError,
  recordMcpTool,
} from './replay.ts';
export { type GivenParams, type RunMcpToolOptions, runMcpTool } from './run-mcp-tool.ts';
export { type GivenPrompt, readMcpResource, runMcpPrompt } from './run-served.ts';
export {
  type KeyedScript,
  MissingResponseError,
  type Script,
  type Scripted,
  UnusedDoubleError,
} from './script.ts';
export type { ScriptedSteps } from './scripted-steps.ts';
export type { MockView, ViewScript } from './scripted-views.ts';
export { type GoBack, goBack, type StopCall, stopCall } from './stop-call.ts';
export { createTestClock, type TestClock } from './test-clock.ts';
export { createTestIds } from './test-ids.ts';
export type { ToolRun } from './tool-run.ts';
export type * from './transcript.ts';
