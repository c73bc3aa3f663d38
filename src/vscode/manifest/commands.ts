import { type CommandId, type ContextKeyId, commands, panelType, treeItems, views } from '../ids.ts';
import { type ManifestText, text } from './text.ts';

interface CommandEntry {
  readonly title: ManifestText;
  readonly icon?: string;
  /** Shown in the palette when this holds; `never` for commands that need a tree item. */
  readonly palette: 'always' | 'never' | `${Some} || ${Some | '!isWorkspaceTrusted'}` | Some;
}

type Some = `${ContextKeyId} > 0`;

/** In a window without trust no tools are known yet: then the command says so. */
const WITH_OWN_TOOLS = 'parley.ownTools > 0 || !isWorkspaceTrusted';

const category = text('category', 'Parley');

const entries: Record<CommandId, CommandEntry> = {
  [commands.runTool]: {
    title: text('command.runTool', 'Run Tool…'),
    icon: '$(play)',
    palette: 'always',
  },
  [commands.runLastTool]: {
    title: text('command.runLastTool', 'Run Last Tool Again'),
    icon: '$(debug-rerun)',
    palette: 'always',
  },
  [commands.runWithLast]: {
    title: text('command.runWithLast', 'Run with Last Parameters'),
    icon: '$(debug-rerun)',
    palette: 'never',
  },
  // Of a row: without the keys of the commands that ask which tool is meant.
  [commands.runThisTool]: {
    title: text('command.runThisTool', 'Run…'),
    icon: '$(play)',
    palette: 'never',
  },
  [commands.takeWithLast]: {
    title: text('command.takeWithLast', 'Run Selected Tool with Last Parameters'),
    palette: 'never',
  },
  [commands.runToolOn]: {
    title: text('command.runToolOn', 'Run Tool on Selection or File…'),
    icon: '$(play)',
    palette: 'parley.fileTools > 0 || parley.selectionTools > 0',
  },
  [commands.pinTool]: { title: text('command.pinTool', 'Pin'), icon: '$(pin)', palette: 'never' },
  [commands.unpinTool]: { title: text('command.unpinTool', 'Unpin'), icon: '$(pinned)', palette: 'never' },
  [commands.movePinUp]: { title: text('command.movePinUp', 'Move Up'), palette: 'never' },
  [commands.movePinDown]: { title: text('command.movePinDown', 'Move Down'), palette: 'never' },
  [commands.tryOut]: {
    title: text('command.tryOut', 'Try a Tool That Asks'),
    icon: '$(comment-discussion)',
    palette: 'always',
  },
  [commands.debugTool]: {
    title: text('command.debugTool', 'Debug Tool…'),
    icon: '$(debug-alt)',
    palette: WITH_OWN_TOOLS,
  },
  [commands.openTest]: { title: text('command.openTest', 'Open Test'), icon: '$(beaker)', palette: 'never' },
  [commands.newTool]: {
    title: text('command.newTool', 'New Tool…'),
    icon: '$(add)',
    palette: 'always',
  },
  [commands.addExample]: {
    title: text('command.addExample', 'Add Example…'),
    icon: '$(library)',
    palette: 'always',
  },
  [commands.reloadTools]: {
    title: text('command.reloadTools', 'Reload Tools'),
    icon: '$(refresh)',
    palette: 'always',
  },
  [commands.setUpTypes]: {
    title: text('command.setUpTypes', 'Set Up TypeScript for Tools'),
    palette: WITH_OWN_TOOLS,
  },
  [commands.showTranscript]: {
    title: text('command.showTranscript', 'Show Transcript'),
    icon: '$(book)',
    palette: 'parley.finishedCalls > 0 || parley.runningCalls > 0',
  },
  [commands.chooseSamplingModel]: {
    title: text('command.chooseSamplingModel', 'Choose Model for Tools…'),
    icon: '$(sparkle)',
    palette: 'always',
  },
  [commands.addModel]: {
    title: text('command.addModel', 'Add Model…'),
    icon: '$(add)',
    palette: 'always',
  },
  [commands.showLog]: { title: text('command.showLog', 'Show Log'), icon: '$(output)', palette: 'always' },
  [commands.showWaiting]: {
    title: text('command.showWaiting', 'Go to Waiting Question'),
    icon: '$(question)',
    palette: 'parley.waitingCalls > 0',
  },
  [commands.showLastCall]: {
    title: text('command.showLastCall', 'Show Last Call'),
    icon: '$(open-preview)',
    palette: 'parley.finishedCalls > 0 || parley.runningCalls > 0',
  },
  [commands.revealCall]: {
    title: text('command.revealCall', 'Show Call'),
    icon: '$(open-preview)',
    palette: 'never',
  },
  [commands.abortCall]: {
    title: text('command.abortCall', 'Stop Call'),
    icon: '$(debug-stop)',
    palette: 'parley.runningCalls > 0',
  },
  [commands.abortAllCalls]: {
    title: text('command.abortAllCalls', 'Stop All Calls'),
    icon: '$(debug-stop)',
    palette: 'parley.runningCalls > 0',
  },
  [commands.abortCallsOfClient]: {
    title: text('command.abortCallsOfClient', 'Stop All Calls of This Client…'),
    palette: 'parley.runningCalls > 0',
  },
  [commands.runCallAgain]: {
    title: text('command.runCallAgain', 'Run Again…'),
    icon: '$(debug-restart)',
    palette: 'never',
  },
  [commands.runCallKeeping]: {
    title: text('command.runCallKeeping', 'Run Again with Same Answers…'),
    icon: '$(debug-rerun)',
    palette: 'never',
  },
  [commands.continueWithNewVersion]: {
    title: text('command.continueWithNewVersion', 'Continue with the New Version'),
    icon: '$(debug-continue)',
    palette: 'never',
  },
  [commands.saveAsTest]: {
    title: text('command.saveAsTest', 'Save as Test'),
    icon: '$(beaker)',
    palette: 'never',
  },
  [commands.debugCallAgain]: {
    title: text('command.debugCallAgain', 'Debug Again…'),
    icon: '$(debug-alt)',
    palette: 'never',
  },
  [commands.copyToolName]: { title: text('command.copyToolName', 'Copy Name'), palette: 'never' },
  [commands.copyMcpCall]: { title: text('command.copyMcpCall', 'Copy as MCP Call'), palette: 'never' },
  [commands.copyTranscript]: {
    title: text('command.copyTranscript', 'Copy Transcript as JSON'),
    palette: 'never',
  },
  [commands.copyParameters]: { title: text('command.copyParameters', 'Copy Parameters'), palette: 'never' },
  [commands.copyResult]: { title: text('command.copyResult', 'Copy Result'), palette: 'never' },
  [commands.copyError]: { title: text('command.copyError', 'Copy Error'), palette: 'never' },
  [commands.clearFinishedCalls]: {
    title: text('command.clearFinishedCalls', 'Clear Finished Calls'),
    icon: '$(clear-all)',
    palette: 'parley.finishedCalls > 0',
  },
  [commands.deleteCall]: {
    title: text('command.deleteCall', 'Delete Call'),
    icon: '$(trash)',
    palette: 'never',
  },
  [commands.clearHistory]: {
    title: text('command.clearHistory', 'Clear History'),
    icon: '$(clear-all)',
    palette: 'parley.keptCalls > 0 || parley.finishedCalls > 0',
  },
  [commands.copyMcpConfiguration]: {
    title: text('command.copyMcpConfiguration', 'Connect Another MCP Client…'),
    icon: '$(copy)',
    palette: 'always',
  },
  [commands.resetMcpToken]: {
    title: text('command.resetMcpToken', "Revoke a Client's Access…"),
    palette: 'always',
  },
  [commands.startServer]: {
    title: text('command.startServer', 'Start Server…'),
    icon: '$(play-circle)',
    palette: 'parley.knownServers > 0',
  },
  [commands.stopServer]: {
    title: text('command.stopServer', 'Stop Server'),
    icon: '$(debug-stop)',
    palette: 'parley.knownServers > 0',
  },
  [commands.restartServer]: {
    title: text('command.restartServer', 'Restart Server'),
    icon: '$(debug-restart)',
    palette: 'parley.knownServers > 0',
  },
  [commands.logInToServer]: {
    title: text('command.logInToServer', 'Log In to Server…'),
    icon: '$(key)',
    palette: 'parley.knownServers > 0',
  },
  [commands.showServerLog]: {
    title: text('command.showServerLog', 'Show Server Log'),
    icon: '$(output)',
    palette: 'parley.knownServers > 0',
  },
  [commands.useServer]: {
    title: text('command.useServer', 'Use MCP Prompt or Resource…'),
    icon: '$(book)',
    palette: 'parley.knownServers > 0',
  },
  [commands.moveServer]: {
    title: text('command.moveServer', 'Move Server to Parley…'),
    palette: 'parley.knownServers > 0',
  },
  [commands.forgetServer]: {
    title: text('command.forgetServer', 'Revoke Permission'),
    palette: 'parley.knownServers > 0',
  },
  [commands.openWalkthrough]: {
    title: text('command.openWalkthrough', 'Get Started'),
    palette: 'always',
  },
};

/** `contributes.commands`. */
export const commandContributions = Object.entries(entries).map(([command, entry]) => ({
  command,
  title: entry.title,
  category,
  icon: entry.icon,
}));

/** As it stands in a pattern. */
const plain = (item: string) => item.replaceAll('.', '\\.');

const inCalls = `view == ${views.calls}`;
const inTools = `view == ${views.tools}`;
const ofClient = `${inCalls} && viewItem =~ /^${plain(treeItems.clientCall)}(\\.|$)/`;
const changed = `${inCalls} && viewItem =~ /${plain(treeItems.changedCall)}$/`;
const running = `${inCalls} && viewItem =~ /^${plain(treeItems.runningCall)}(\\.|$)/`;
const finished = `${inCalls} && viewItem =~ /^${plain(treeItems.finishedCall)}(\\.|$)/`;
const ended = (how: string) => `${finished} && viewItem =~ /${plain(how)}$/`;
const earlier = `${inCalls} && viewItem == ${treeItems.earlierCalls}`;
const waiting = `${inTools} && viewItem == ${treeItems.waitingFile}`;
const own = `(${plain(treeItems.ownTool)})`;
const pinned = `${inTools} && viewItem =~ /^${plain(treeItems.pinnedTool)}(\\.|$)/`;
const pinnedBut = (edge: string) =>
  `${inTools} && viewItem =~ /^${plain(treeItems.pinnedTool)}(${plain(edge)})?${own}?$/`;
const unpinned = `${inTools} && viewItem =~ /^${plain(treeItems.tool)}${own}?$/`;
const tool = `${inTools} && viewItem =~ /^${plain(treeItems.tool)}(\\.|$)/`;
const ownTool = `${tool} && viewItem =~ /${own}$/`;
const selected = 'editorHasSelection && parley.selectionTools > 0';
const server = (what: string) => `${inTools} && viewItem =~ /^${plain(treeItems.server)}\\.${what}/`;
const anyServer = server('');
const restingServer = server('(new|changed|broken|stopped)\\.');
const runningServer = server('(connecting|login|ready)\\.');
const loginServer = server('login\\.');
const connectedServer = server('ready\\.');
const knownServer = server('(changed|broken|stopped|connecting|login|ready)\\.');
const serverInFile = server('\\w+\\.file$');

const inPanel = `activeWebviewPanelId == '${panelType}'`;
const anyCall = `${running} || ${finished}`;
const startedCall = `${running} && viewItem != ${treeItems.formCall} || ${finished}`;
const ownEnded = `${finished} && viewItem =~ /${own}(\\.|$)/`;
// What was stopped has no end that a test could expect.
const testable = `${ownEnded} && viewItem =~ /(${plain(treeItems.withResult)}|${plain(treeItems.withError)})$/`;

/** `contributes.menus`. */
export const menuContributions = {
  commandPalette: Object.entries(entries).flatMap(([command, { palette }]) =>
    palette === 'always' ? [] : [{ command, when: palette === 'never' ? 'false' : palette }],
  ),
  'view/title': [
    { command: commands.runTool, when: inCalls, group: 'navigation@1' },
    {
      command: commands.clearFinishedCalls,
      when: `${inCalls} && parley.finishedCalls > 0`,
      group: 'navigation@2',
    },
    { command: commands.newTool, when: `${inTools} && isWorkspaceTrusted`, group: 'navigation@1' },
    { command: commands.runTool, when: inTools, group: 'navigation@2' },
    {
      command: commands.abortAllCalls,
      when: `${inCalls} && parley.runningCalls > 0`,
      group: '0_calls@1',
    },
    { command: commands.reloadTools, when: inTools, group: 'navigation@3' },
    { command: commands.addExample, when: `${inTools} && isWorkspaceTrusted`, group: '0_tools@1' },
    { command: commands.chooseSamplingModel, when: `${inTools} || ${inCalls}`, group: '1_parley@1' },
    { command: commands.copyMcpConfiguration, when: inTools, group: '1_parley@2' },
    { command: commands.showLog, when: `${inTools} || ${inCalls}`, group: '1_parley@3' },
  ],
  'editor/title': [
    { command: commands.abortCall, when: `${inPanel} && parley.shownUnended > 0`, group: '1_call@1' },
    { command: commands.copyToolName, when: inPanel, group: '9_copy@1' },
    { command: commands.copyMcpCall, when: inPanel, group: '9_copy@2' },
    { command: commands.copyTranscript, when: `${inPanel} && parley.shownStarted > 0`, group: '9_copy@3' },
    {
      command: commands.showTranscript,
      when: `${inPanel} && parley.shownStarted > 0`,
      group: 'navigation@1',
    },
  ],
  'editor/context': [
    {
      command: commands.runToolOn,
      when: `${selected} || resourceScheme == file && parley.fileTools > 0`,
      group: '1_modification@90',
    },
  ],
  'explorer/context': [
    {
      command: commands.runToolOn,
      when: 'explorerResourceIsFolder && parley.folderTools > 0 || !explorerResourceIsFolder && parley.fileTools > 0',
      group: '4_parley@1',
    },
  ],
  'view/item/context': [
    { command: commands.abortCall, when: running, group: 'inline@1' },
    { command: commands.continueWithNewVersion, when: changed, group: 'inline@0' },
    { command: commands.runCallAgain, when: finished, group: 'inline@1' },
    { command: commands.revealCall, when: anyCall, group: '1_call@1' },
    { command: commands.continueWithNewVersion, when: changed, group: '1_call@1' },
    { command: commands.abortCall, when: running, group: '1_call@2' },
    { command: commands.abortCallsOfClient, when: ofClient, group: '1_call@3' },
    { command: commands.runCallAgain, when: finished, group: '1_call@4' },
    { command: commands.runCallKeeping, when: finished, group: '1_call@5' },
    { command: commands.debugCallAgain, when: ownEnded, group: '1_call@6' },
    { command: commands.saveAsTest, when: testable, group: '1_call@7' },
    { command: commands.deleteCall, when: finished, group: 'z_delete@1' },
    { command: commands.copyToolName, when: anyCall, group: '9_copy@1' },
    { command: commands.copyMcpCall, when: startedCall, group: '9_copy@2' },
    { command: commands.copyParameters, when: startedCall, group: '9_copy@3' },
    { command: commands.copyResult, when: ended(treeItems.withResult), group: '9_copy@4' },
    { command: commands.copyError, when: ended(treeItems.withError), group: '9_copy@4' },
    { command: commands.copyTranscript, when: startedCall, group: '9_copy@5' },
    { command: commands.clearHistory, when: earlier, group: 'inline@1' },
    { command: commands.clearHistory, when: earlier, group: '3_delete@1' },
    { command: commands.showTranscript, when: startedCall, group: '2_transcript@1' },
    { command: commands.runThisTool, when: tool, group: 'inline@1' },
    { command: commands.reloadTools, when: waiting, group: 'inline@1' },
    { command: commands.runThisTool, when: tool, group: '1_tool@1' },
    { command: commands.runWithLast, when: tool, group: '1_tool@2' },
    { command: commands.debugTool, when: ownTool, group: '1_tool@3' },
    { command: commands.openTest, when: ownTool, group: '1_tool@4' },
    { command: commands.copyToolName, when: tool, group: '9_copy@1' },
    { command: commands.copyMcpCall, when: tool, group: '9_copy@2' },
    { command: commands.pinTool, when: unpinned, group: 'inline@2' },
    { command: commands.unpinTool, when: pinned, group: 'inline@2' },
    { command: commands.pinTool, when: unpinned, group: '2_pin@1' },
    { command: commands.unpinTool, when: pinned, group: '2_pin@1' },
    { command: commands.movePinUp, when: pinnedBut(treeItems.lastPin), group: '2_pin@2' },
    { command: commands.movePinDown, when: pinnedBut(treeItems.firstPin), group: '2_pin@3' },
    { command: commands.startServer, when: restingServer, group: 'inline@1' },
    { command: commands.logInToServer, when: loginServer, group: 'inline@1' },
    { command: commands.startServer, when: restingServer, group: '1_server@1' },
    { command: commands.logInToServer, when: loginServer, group: '1_server@1' },
    { command: commands.useServer, when: connectedServer, group: '1_server@1' },
    { command: commands.restartServer, when: runningServer, group: '1_server@2' },
    { command: commands.stopServer, when: runningServer, group: '1_server@3' },
    { command: commands.showServerLog, when: anyServer, group: '2_server@1' },
    { command: commands.moveServer, when: serverInFile, group: '3_server@1' },
    { command: commands.forgetServer, when: knownServer, group: '3_server@2' },
  ],
};
