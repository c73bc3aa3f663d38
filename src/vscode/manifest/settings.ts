import type { QuestionSurface, SettingId, Settings } from '../ids.ts';
import { type ManifestText, text, type WithTexts } from './text.ts';

interface SettingEntry<Value> {
  readonly type: Value extends string
    ? 'string'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'boolean'
        : Value extends readonly unknown[]
          ? 'array'
          : 'object';
  readonly default: Value;
  readonly markdownDescription: ManifestText;
  readonly scope: 'application' | 'machine' | 'machine-overridable' | 'window' | 'resource';
  /** Not read from a workspace that is not trusted. */
  readonly restricted: boolean;
  readonly more?: Readonly<Record<string, WithTexts>>;
}

const entries: { readonly [Id in SettingId]: SettingEntry<Settings[Id]> } = {
  'parley.tools.include': {
    type: 'array',
    default: [],
    markdownDescription: text(
      'setting.tools.include',
      'Additional tool files, as globs relative to the workspace folder, such as `scripts/**/*.tool.ts`. Files in `.parley/tools` are always included.',
    ),
    scope: 'resource',
    restricted: true,
    more: { items: { type: 'string' }, uniqueItems: true },
  },
  'parley.tools.isolation': {
    type: 'string',
    default: 'worker',
    markdownDescription: text(
      'setting.tools.isolation',
      "Where the tools of the workspace run. Applies to new calls. A file can force the extension host with `export const isolation = 'host';`.",
    ),
    scope: 'window',
    restricted: true,
    more: {
      enum: ['worker', 'host'],
      enumDescriptions: [
        text(
          'setting.tools.isolation.worker',
          'Each tool file in its own worker. A tool that loops forever, crashes or calls process.exit ends only its own calls.',
        ),
        text(
          'setting.tools.isolation.host',
          'In the extension host. Fastest, but a tool that loops forever blocks the extensions of this window.',
        ),
      ],
    },
  },
  'parley.tools.stuckAfter': {
    type: 'number',
    default: 30,
    markdownDescription: text(
      'setting.tools.stuckAfter',
      'End a tool that blocks its worker for this many seconds, for example in an endless loop. The next call starts a new worker.',
    ),
    scope: 'window',
    restricted: true,
    more: { minimum: 1, maximum: 86_400 },
  },
  'parley.panel.location': {
    type: 'string',
    default: 'auto',
    markdownDescription: text('setting.panel.location', 'Where run panels open.'),
    scope: 'window',
    restricted: false,
    more: {
      enum: ['auto', 'beside', 'active'],
      enumDescriptions: [
        text(
          'setting.panel.location.auto',
          'Beside the code if one is open; never covers the editor you are typing in.',
        ),
        text('setting.panel.location.beside', 'Always in the editor group beside the active one.'),
        text(
          'setting.panel.location.active',
          'In the active editor group, as a new tab. Questions from agents and clients appear as a notification and never cover the editor you are typing in.',
        ),
      ],
    },
  },
  'parley.questions.agent': {
    type: 'string',
    default: 'panel',
    markdownDescription: text(
      'setting.questions.agent',
      "Where to answer questions from calls that this window's agent makes.",
    ),
    scope: 'window',
    restricted: false,
    more: {
      enum: ['panel', 'chat', 'both'],
      enumDescriptions: [
        text('setting.questions.agent.panel', 'In the run panel, beside the editor.'),
        text(
          'setting.questions.agent.chat',
          'In the chat, on a page of the tool. The run panel opens if the chat cannot show the page.',
        ),
        text('setting.questions.agent.both', 'In both at once. The first answer counts.'),
      ],
    },
  },
  'parley.questions.sound': {
    type: 'boolean',
    default: false,
    markdownDescription: text(
      'setting.questions.sound',
      'Play a soft sound when a question appears in a run panel while you work elsewhere. In a browser, sounds start after your first click in that panel.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.notifyAfter': {
    type: 'number',
    default: 10,
    markdownDescription: text(
      'setting.notifyAfter',
      'Notify when a call ends out of sight after running this many seconds. A call that you started and that fails notifies at once. Calls of agents and clients count only if they asked you something. `0` turns it off.',
    ),
    scope: 'window',
    restricted: false,
    more: { minimum: 0, maximum: 86_400 },
  },
  'parley.codeMode': {
    type: 'boolean',
    default: false,
    markdownDescription: text(
      'setting.codeMode',
      'Let agents call your tools from sandboxed code instead of one at a time. Changes are shown to you for approval. Use this for many tools, and for tasks that take many calls.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.sampling.model': {
    type: 'string',
    default: '',
    markdownDescription: text(
      'setting.sampling.model',
      'Language model for tools, as `vendor/id`. If empty, the model that the tool suggests, or the last one used. If models of several providers are available, Parley asks you first. [Choose a model](command:parley.chooseSamplingModel)',
    ),
    scope: 'window',
    restricted: true,
  },
  'parley.models': {
    type: 'array',
    default: [],
    markdownDescription: text(
      'setting.models',
      'Language models of your own, for tools and `@parley` when the editor has no other model: an OpenAI-compatible address and the name of a model. Keys are kept in secret storage, each for its server. [Add a model](command:parley.addModel)',
    ),
    // A folder must not choose who reads what tools send.
    scope: 'machine',
    restricted: false,
    more: {
      items: {
        type: 'object',
        required: ['url', 'model'],
        properties: {
          url: {
            type: 'string',
            description: text(
              'setting.models.url',
              'Address of the server: https, or on this machine. `/chat/completions` is added to it.',
            ),
          },
          model: {
            type: 'string',
            description: text('setting.models.model', 'Name of the model on the server.'),
          },
          name: { type: 'string', description: text('setting.models.name', 'Name in lists.') },
        },
        additionalProperties: false,
      },
    },
  },
  'parley.elicitation.surface': {
    type: 'string',
    default: 'auto',
    markdownDescription: text(
      'setting.elicitation.surface',
      'Where questions appear when an MCP client calls a tool. Tools that change something in the editor always ask in this window.',
    ),
    scope: 'window',
    restricted: true,
    more: surfaces('elicitation', {
      auto: 'In this window for its own Copilot. For other clients, in the client if it can ask, otherwise in this window.',
      editor: 'Always in this window.',
      client: 'Always in the client. A tool that needs an answer fails if the client cannot ask.',
    }),
  },
  'parley.sampling.surface': {
    type: 'string',
    default: 'auto',
    markdownDescription: text(
      'setting.sampling.surface',
      'Which language model answers when an MCP client calls a tool.',
    ),
    scope: 'window',
    restricted: true,
    more: surfaces('sampling', {
      auto: 'A model of this window for its own Copilot. For other clients, the model of the client if it has one, otherwise a model of this window.',
      editor: 'Always a model of this window.',
      client: 'Always the model of the client. A tool that needs a model fails if the client has none.',
    }),
  },
  'parley.history.enabled': {
    type: 'boolean',
    default: true,
    markdownDescription: text(
      'setting.history.enabled',
      'Keep calls, answers and results for 30 days, encrypted on this machine. Calls that wait for you resume after a reload of the window. **Parley: Clear History** deletes finished calls.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.inbox.enabled': {
    type: 'boolean',
    default: true,
    markdownDescription: text(
      'setting.inbox.enabled',
      'List questions that wait for you in other windows and in MCP servers of this machine at the top of the Calls view, and questions of this window there. They are kept encrypted in a folder of yours while they wait. Takes effect when the window is loaded again.',
    ),
    scope: 'machine',
    restricted: false,
  },
  'parley.servers': {
    type: 'object',
    default: {},
    markdownDescription: text(
      'setting.servers',
      'MCP servers to use here, by name, in the format of `servers` in `.vscode/mcp.json` (which is read too). No server starts before you allow it in the Tools view.',
    ),
    scope: 'window',
    restricted: true,
    more: { additionalProperties: { type: 'object' } },
  },
  'parley.gateway.servers': {
    type: 'array',
    default: [],
    markdownDescription: text(
      'setting.gateway.servers',
      "Names of MCP servers whose tools, prompts and resources Parley also offers to this window's agent and to clients that you configured. Parley makes the calls, and shows their questions in its panel.",
    ),
    scope: 'machine',
    restricted: true,
    more: { items: { type: 'string' }, uniqueItems: true },
  },
  'parley.policy': {
    type: 'array',
    default: [],
    markdownDescription: text(
      'setting.policy',
      "Rules that allow, ask about or deny calls of MCP servers' tools, and of your own tools that a rule names as `tool`. The strictest matching rule wins. `*` matches anything. Workspace rules can only `ask` or `deny`. While a rule cannot be read, calls that it may apply to are refused.",
    ),
    scope: 'window',
    restricted: false,
    more: {
      items: {
        type: 'object',
        required: ['verdict'],
        additionalProperties: false,
        properties: {
          server: { type: 'string', description: text('setting.policy.server', 'Name of the server.') },
          tool: {
            type: 'string',
            description: text(
              'setting.policy.tool',
              'Name of the tool, as its server or your file defines it.',
            ),
          },
          annotation: {
            enum: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
            description: text('setting.policy.annotation', 'Behavior that the server claims for the tool.'),
          },
          arguments: {
            type: 'object',
            additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
            description: text(
              'setting.policy.arguments',
              'Names of arguments, and the values they must have. A value can be written in many ways, so use arguments to `allow` and `ask`, and deny a tool as a whole.',
            ),
          },
          verdict: {
            enum: ['allow', 'ask', 'deny', 'person'],
            enumDescriptions: [
              text(
                'setting.policy.allow',
                'The call runs without asking. Applies in your user settings only.',
              ),
              text('setting.policy.ask', 'Ask before the call runs.'),
              text('setting.policy.deny', 'Refuse the call.'),
              text(
                'setting.policy.person',
                'Only a person may answer its questions. An answer that a client gives by itself does not count.',
              ),
            ],
          },
        },
      },
    },
  },
};

function surfaces(name: string, described: Readonly<Record<QuestionSurface, string>>) {
  return {
    enum: Object.keys(described),
    enumDescriptions: Object.entries(described).map(([surface, en]) =>
      text(`setting.${name}.surface.${surface}`, en),
    ),
  };
}

/** `contributes.configuration`. */
export const settingContributions = {
  title: text('settings.title', 'Parley'),
  properties: Object.fromEntries(
    // In this order, not by the alphabet.
    Object.entries(entries).map(([id, { restricted: _, more, ...entry }], order) => [
      id,
      { order, ...entry, ...more },
    ]),
  ),
};

/** Settings that a workspace may set only when it is trusted. */
export const restrictedSettings = Object.entries(entries).flatMap(([id, entry]) =>
  entry.restricted ? [id] : [],
);
