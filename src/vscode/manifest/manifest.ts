import {
  chatParticipant,
  commands,
  mcpProvider,
  ownVendor,
  panelType,
  participantCommands,
  taskType,
} from '../ids.ts';
import { commandContributions, menuContributions } from './commands.ts';
import { keybindingContributions } from './keybindings.ts';
import { languageModelToolContributions } from './language-model-tools.ts';
import { publication, publicationFields } from './publication.ts';
import { restrictedSettings, settingContributions } from './settings.ts';
import { extractTexts, type Plain, text, type WithTexts } from './text.ts';
import { viewContainerContributions, viewContributions, welcomeContributions } from './views.ts';
import { walkthroughContributions } from './walkthrough.ts';

/** `contributes.chatParticipants`. */
const chatParticipantContributions = [
  {
    id: chatParticipant,
    name: 'parley',
    fullName: text('participant.name', 'Parley'),
    description: text('participant.description', 'Runs your tools'),
    isSticky: true,
    commands: [
      { name: participantCommands.tools, description: text('participant.tools', 'List the tools') },
      {
        name: participantCommands.runs,
        description: text('participant.runs', 'List the calls of this window'),
      },
      {
        name: participantCommands.show,
        description: text('participant.show', 'Show the question that is waiting for your answer'),
      },
      {
        name: participantCommands.run,
        description: text(
          'participant.run',
          'Run a tool: its name, and its task in words or its parameters as JSON. The name alone opens its form',
        ),
      },
    ],
  },
];

/** `contributes.taskDefinitions`. */
const taskContributions = [
  {
    type: taskType,
    required: ['tool'],
    properties: {
      tool: { type: 'string', description: text('task.tool', 'Name of the tool.') },
      params: {
        type: 'object',
        description: text(
          'task.params',
          'Parameters of the tool. Variables are resolved, as in other tasks. If omitted, Parley asks for the required parameters.',
        ),
      },
    },
  },
];

const fields: Readonly<Record<string, WithTexts>> = {
  icon: 'media/icon.png',
  ...publicationFields(publication),
  categories: ['AI', 'Chat', 'Testing'],
  keywords: [
    'mcp',
    'model context protocol',
    'mcp server',
    'tools',
    'agent',
    'copilot',
    'elicitation',
    'sampling',
    'human in the loop',
    'ask user',
    'forms',
    'workflow',
    'typescript',
  ],
  extensionKind: ['workspace'],
  l10n: './l10n',
  // Commands, views and tools activate by themselves. What does not: Copilot asks for the tools of the workspace only
  // once it knows that there are any, and MCP clients of other programs come without asking the editor at all.
  // A tab of an earlier window waits for its call.
  activationEvents: ['onStartupFinished', `onWebviewPanel:${panelType}`],
  capabilities: {
    untrustedWorkspaces: {
      supported: 'limited',
      description: text(
        'capability.untrusted',
        'Tools of the workspace run code. In Restricted Mode only the tools of installed extensions are available.',
      ),
      restrictedConfigurations: restrictedSettings,
    },
    virtualWorkspaces: {
      supported: 'limited',
      description: text(
        'capability.virtual',
        'Tools of a workspace are read from disk. In a virtual workspace only the tools of installed extensions are available.',
      ),
    },
  },
  contributes: {
    commands: commandContributions,
    menus: menuContributions,
    keybindings: keybindingContributions,
    taskDefinitions: taskContributions,
    configuration: settingContributions,
    configurationDefaults: {
      // What Parley writes for authors is nothing to read.
      'files.exclude': { '**/.parley/.generated': true, '**/.parley/node_modules': true },
      // A tool file is code that runs: an agent's edit of one is shown before it is applied. Newer versions of VS Code take no default of an
      // extension here, so `held-files.ts` holds such a file in any case.
      'chat.tools.edits.autoApprove': { '**/.parley/**': false },
    },
    viewsContainers: viewContainerContributions,
    views: viewContributions,
    viewsWelcome: welcomeContributions,
    walkthroughs: walkthroughContributions,
    languageModelTools: languageModelToolContributions,
    chatParticipants: chatParticipantContributions,
    languageModelChatProviders: [
      { vendor: ownVendor, displayName: 'Parley', managementCommand: commands.addModel },
    ],
    mcpServerDefinitionProviders: [
      { id: mcpProvider, label: text('mcpProvider', 'Parley: tools of this workspace') },
    ],
  },
};

/** What is generated: fields of `package.json`, and `package.nls.json` whole. */
export interface Manifest {
  readonly fields: Readonly<Record<string, Plain>>;
  readonly nls: Readonly<Record<string, string>>;
}

/** The generated part of the manifest. Pure: nothing is read or written here. */
export function createManifest(): Manifest {
  const texts = new Map<string, string>();
  const plain = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, extractTexts(value, texts)] as const),
  );
  return { fields: plain, nls: Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** `package.json` with its generated fields brought up to date; all others keep their place and value. */
export function mergeManifest(
  packageJson: Readonly<Record<string, unknown>>,
  manifest: Manifest,
): Record<string, unknown> {
  return { ...packageJson, ...manifest.fields };
}
