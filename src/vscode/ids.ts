import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { Isolation } from '../isolation/host-side/realms/switching-realm.ts';

/**
 * Every id that the editor knows Parley by, once. `manifest/` turns them into `package.json`; adapters import them.
 */

/** Commands, by what they do. */
export const commands = {
  runTool: 'parley.runTool',
  runLastTool: 'parley.runLastTool',
  runThisTool: 'parley.runThisTool',
  runWithLast: 'parley.runWithLast',
  takeWithLast: 'parley.takeWithLast',
  runToolOn: 'parley.runToolOn',
  pinTool: 'parley.pinTool',
  unpinTool: 'parley.unpinTool',
  movePinUp: 'parley.movePinUp',
  movePinDown: 'parley.movePinDown',
  tryOut: 'parley.tryOut',
  debugTool: 'parley.debugTool',
  openTest: 'parley.openTest',
  newTool: 'parley.newTool',
  addExample: 'parley.addExample',
  reloadTools: 'parley.reloadTools',
  setUpTypes: 'parley.setUpTypes',
  showTranscript: 'parley.showTranscript',
  chooseSamplingModel: 'parley.chooseSamplingModel',
  addModel: 'parley.addModel',
  showLog: 'parley.showLog',
  showWaiting: 'parley.showWaiting',
  showLastCall: 'parley.showLastCall',
  revealCall: 'parley.revealCall',
  abortCall: 'parley.abortCall',
  abortAllCalls: 'parley.abortAllCalls',
  abortCallsOfClient: 'parley.abortCallsOfClient',
  runCallAgain: 'parley.runCallAgain',
  runCallKeeping: 'parley.runCallKeeping',
  continueWithNewVersion: 'parley.continueWithNewVersion',
  saveAsTest: 'parley.saveAsTest',
  debugCallAgain: 'parley.debugCallAgain',
  copyToolName: 'parley.copyToolName',
  copyMcpCall: 'parley.copyMcpCall',
  copyTranscript: 'parley.copyTranscript',
  copyParameters: 'parley.copyParameters',
  copyResult: 'parley.copyResult',
  copyError: 'parley.copyError',
  clearFinishedCalls: 'parley.clearFinishedCalls',
  deleteCall: 'parley.deleteCall',
  clearHistory: 'parley.clearHistory',
  copyMcpConfiguration: 'parley.copyMcpConfiguration',
  resetMcpToken: 'parley.resetMcpToken',
  startServer: 'parley.startServer',
  stopServer: 'parley.stopServer',
  restartServer: 'parley.restartServer',
  logInToServer: 'parley.logInToServer',
  showServerLog: 'parley.showServerLog',
  useServer: 'parley.useServer',
  moveServer: 'parley.moveServer',
  forgetServer: 'parley.forgetServer',
  openWalkthrough: 'parley.openWalkthrough',
} as const;

/** The command behind the buttons of an approval in the chat: with the approval's id and what was pressed. */
export const answerApproval = 'parley.answerApproval';

/** The id of a command of ours. */
export type CommandId = (typeof commands)[keyof typeof commands];

/** The view container in the activity bar. */
export const viewContainer = 'parley';

/** Views, by what they list. */
export const views = { calls: 'parley.calls', tools: 'parley.tools' } as const;

/** The type of tasks that run a tool. */
export const taskType = 'parley';

/** The type of the run panel's webview. */
export const panelType = 'parley.run';

/** The scheme of read-only documents with the transcript of a call. */
export const transcriptScheme = 'parley-transcript';

/** The provider of the window's MCP server. */
export const mcpProvider = 'parley.tools';

/** The vendor of the person's own models. */
export const ownVendor = 'parley';

/** The chat participant `@parley`. */
export const chatParticipant = 'parley.chat';

/** Whose calls those of `@parley` are. */
export const chatPrincipal = 'chat';

/** Its slash commands. */
export const participantCommands = { tools: 'tools', runs: 'runs', run: 'run', show: 'show' } as const;

/** Who answers what a call asks: the editor, the MCP client that made the call, or whichever is better. */
export type QuestionSurface = 'auto' | 'editor' | 'client';

/** In the run panel, as pages in the chat, or in whichever of both the person likes. */
export type QuestionPlace = 'panel' | 'chat' | 'both';

/** Where the panel of a call opens. */
export type PanelLocation = 'auto' | 'beside' | 'active';

/** Settings: id → the type of its value. */
export interface Settings {
  /** Tool files beside `.parley/tools`, as globs relative to the workspace folder. */
  readonly 'parley.tools.include': readonly string[];
  /** Where the tools of the workspace run. */
  readonly 'parley.tools.isolation': Isolation;
  /** Seconds that a tool in a worker may block it before its calls are ended. */
  readonly 'parley.tools.stuckAfter': number;
  /** Where run panels open. */
  readonly 'parley.panel.location': PanelLocation;
  /** Where the questions of calls that this window's agent makes are answered. */
  readonly 'parley.questions.agent': QuestionPlace;
  /** Whether a question that comes while the person is elsewhere is heard. */
  readonly 'parley.questions.sound': boolean;
  /** Seconds after which the end of a call that nobody sees is told of; 0 for never. */
  readonly 'parley.notifyAfter': number;
  /** Whether agents call the tools of the window by code. */
  readonly 'parley.codeMode': boolean;
  /** `vendor/id` of the model for sampling; empty to let hints and the default decide. */
  readonly 'parley.sampling.model': string;
  /** Models of the person's own, each at an OpenAI-compatible address. */
  readonly 'parley.models': readonly JsonValue[];
  /** Who answers questions of calls that come over MCP. */
  readonly 'parley.elicitation.surface': QuestionSurface;
  /** Whether finished calls are kept, to be looked at later. */
  readonly 'parley.history.enabled': boolean;
  /** Whether what waits for the person in other programs is listed here, and what waits here is listed there. */
  readonly 'parley.inbox.enabled': boolean;
  /** MCP servers of this window, by name: each as an entry of `mcp.json`. */
  readonly 'parley.servers': JsonObject;
  /** Names of servers whose tools this window's own server offers on. */
  readonly 'parley.gateway.servers': readonly string[];
  /** Rules about calls of servers' tools and of code. */
  readonly 'parley.policy': readonly JsonValue[];
  /** Who answers samplings of calls that come over MCP. */
  readonly 'parley.sampling.surface': QuestionSurface;
}

/** The id of a setting of ours. */
export type SettingId = keyof Settings;

/** Context keys: id → the type of its value. For `when` clauses. */
export interface ContextKeys {
  /** Calls that have not ended. */
  readonly 'parley.runningCalls': number;
  /** Ended calls that the Calls view still lists. */
  readonly 'parley.finishedCalls': number;
  /** Calls that wait for an answer. */
  readonly 'parley.waitingCalls': number;
  /** Run panels in sight whose call has not ended, and whose call has started. */
  readonly 'parley.shownUnended': number;
  readonly 'parley.shownStarted': number;
  /** Tools that can be run on selected text, on a file, on a folder. */
  readonly 'parley.selectionTools': number;
  readonly 'parley.fileTools': number;
  readonly 'parley.folderTools': number;
  /** Tools of this workspace's files, and what is wrong with those files. */
  readonly 'parley.ownTools': number;
  /** Finished calls of this workspace that are kept. */
  readonly 'parley.keptCalls': number;
  /** MCP servers that this window knows of. */
  readonly 'parley.knownServers': number;
  /** Whether the editor's agent has the shipped tools over MCP, or is about to. */
  readonly 'parley.shippedOverMcp': boolean;
  /** Whether the list of tools to run is open. */
  readonly 'parley.pickingTool': boolean;
}

/** The id of a context key of ours. */
export type ContextKeyId = keyof ContextKeys;

/** `contextValue` of tree items, for `when` clauses on `viewItem`. */
export const treeItems = {
  runningCall: 'parley.call.running',
  clientCall: 'parley.call.running.client',
  /** One whose parameters are asked for. */
  formCall: 'parley.call.running.form',
  /** Behind the others: its tool has changed. */
  changedCall: '.changed',
  finishedCall: 'parley.call.finished',
  /** Behind it: how the call ended, and before that `ownTool`. */
  withResult: '.result',
  withError: '.error',
  earlierCalls: 'parley.earlierCalls',
  tool: 'parley.tool',
  pinnedTool: 'parley.tool.pinned',
  /** Behind it, in this order: nothing stands above it, nothing below it. */
  firstPin: '.first',
  lastPin: '.last',
  /** Behind all of them, and behind a call that ended: it is one of the workspace. */
  ownTool: '.own',
  toolSource: 'parley.toolSource',
  toolProblem: 'parley.toolProblem',
  waitingFile: 'parley.waitingFile',
  /** Followed by what it does and by where it is written: `parley.server.ready.file`. */
  server: 'parley.server',
} as const;

/** The walkthrough's id, without the extension's. */
export const walkthrough = 'parley.start';
