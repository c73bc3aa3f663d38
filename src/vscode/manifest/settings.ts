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
      'More tool files beside those in `.parley/tools`, as globs relative to the workspace folder, such as `scripts/**/*.tool.ts`.',
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
      "Where the tools of the workspace run. Calls finish where they began. A file with the line `export const isolation = 'host';` runs in the extension host in any case.",
    ),
    scope: 'window',
    restricted: true,
    more: {
      enum: ['worker', 'host'],
      enumDescriptions: [
        text(
          'setting.tools.isolation.worker',
          'Each tool file in a worker of its own: a tool that loops for ever, crashes or calls process.exit ends its own calls only.',
        ),
        text(
          'setting.tools.isolation.host',
          'In the extension host: the quickest. A tool that loops for ever holds up the extensions of this window.',
        ),
      ],
    },
  },
  'parley.tools.stuckAfter': {
    type: 'number',
    default: 30,
    markdownDescription: text(
      'setting.tools.stuckAfter',
      'Seconds that the code of a tool may run without a pause, as in an endless loop, before its worker and the calls in it are ended. The next call starts a new one.',
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
          'Beside the code, else in front; questions of others where run panels are, and never over what you type in.',
        ),
        text('setting.panel.location.beside', 'Always in the group beside the active one.'),
        text(
          'setting.panel.location.active',
          'In the active group, as one more tab. Questions of agents and clients come as a notification, so that none covers what you type in.',
        ),
      ],
    },
  },
  'parley.questions.agent': {
    type: 'string',
    default: 'panel',
    markdownDescription: text(
      'setting.questions.agent',
      "Where the questions of calls that this window's agent makes are answered.",
    ),
    scope: 'window',
    restricted: false,
    more: {
      enum: ['panel', 'chat', 'both'],
      enumDescriptions: [
        text('setting.questions.agent.panel', 'In the run panel, beside the editor.'),
        text(
          'setting.questions.agent.chat',
          'In the chat itself, on a page of the tool. The run panel opens when the chat shows none.',
        ),
        text('setting.questions.agent.both', 'In both at once: the first answer counts.'),
      ],
    },
  },
  'parley.questions.sound': {
    type: 'boolean',
    default: false,
    markdownDescription: text(
      'setting.questions.sound',
      'Play a soft sound when a question comes in a run panel while you are elsewhere. Editors in a browser play it once you have clicked in that panel.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.notifyAfter': {
    type: 'number',
    default: 10,
    markdownDescription: text(
      'setting.notifyAfter',
      'Seconds that a call must have worked before a notification says that it is over, when its panel is out of sight. Of a call that you started and that fails, it says so at once. Calls of agents and clients count only when they asked you something. `0`: no notification that a call is over.',
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
      'Agents get three tools in place of all that Parley offers them over MCP, and call the others from code, in a sandbox. What may change something is shown to you in one table. For many tools, and for tasks that take many calls.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.sampling.model': {
    type: 'string',
    default: '',
    markdownDescription: text(
      'setting.sampling.model',
      'The language model that tools ask, as `vendor/id`. Empty: the model that the tool hints at, else the one that was used last. Before the first time you are asked, if models of several providers are there. [Choose a model](command:parley.chooseSamplingModel)',
    ),
    scope: 'window',
    restricted: true,
  },
  'parley.elicitation.surface': {
    type: 'string',
    default: 'auto',
    markdownDescription: text(
      'setting.elicitation.surface',
      'Where the questions of tools are answered when an MCP client calls them. Tools that change something in the editor ask in this window in any case.',
    ),
    scope: 'window',
    restricted: true,
    more: surfaces('elicitation', {
      auto: 'In this window for its own Copilot. For other clients in the client where it can ask, else in this window.',
      editor: 'Always in this window.',
      client: 'Always in the client. A tool that needs an answer fails where the client cannot ask.',
    }),
  },
  'parley.sampling.surface': {
    type: 'string',
    default: 'auto',
    markdownDescription: text(
      'setting.sampling.surface',
      'Which language model tools ask when an MCP client calls them.',
    ),
    scope: 'window',
    restricted: true,
    more: surfaces('sampling', {
      auto: 'A model of this window for its own Copilot. For other clients that of the client where it has one, else a model of this window.',
      editor: 'Always a model of this window.',
      client: "Always the client's. A tool that needs a model fails where the client has none.",
    }),
  },
  'parley.history.enabled': {
    type: 'boolean',
    default: true,
    markdownDescription: text(
      'setting.history.enabled',
      'Keep calls of this workspace, with their parameters, answers and results: those that wait, to go on after a reload of the window, and finished ones for 30 days. Sealed, on this machine only. **Parley: Clear History** throws finished ones away.',
    ),
    scope: 'window',
    restricted: false,
  },
  'parley.servers': {
    type: 'object',
    default: {},
    markdownDescription: text(
      'setting.servers',
      'MCP servers whose tools run here, by name: each as an entry of `servers` in `.vscode/mcp.json`, which is read, too. Nothing is started or reached before you have allowed it in the Tools view.',
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
      "Names of MCP servers whose tools, prompts and resources Parley offers on to this window's agent and to clients that you configured. They are called through Parley, and their questions are asked in its panel.",
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
      "Rules about calls of MCP servers' tools, and of your own tools that a rule names as `tool`: when all that a rule names fits, its `verdict` counts, and of several rules the strictest. `*` stands for anything. Rules of a workspace can only `ask` and `deny`. While a rule cannot be read, calls that it may be about are refused.",
    ),
    scope: 'window',
    restricted: false,
    more: {
      items: {
        type: 'object',
        required: ['verdict'],
        additionalProperties: false,
        properties: {
          server: { type: 'string', description: text('setting.policy.server', 'The name of the server.') },
          tool: {
            type: 'string',
            description: text('setting.policy.tool', 'The name of the tool, as its server or you call it.'),
          },
          annotation: {
            enum: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
            description: text('setting.policy.annotation', 'What the server claims of the tool.'),
          },
          arguments: {
            type: 'object',
            additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
            description: text(
              'setting.policy.arguments',
              'Names of arguments, and what their values read like. One value can be written in many ways: use this to `allow` and `ask`, and forbid a tool as a whole.',
            ),
          },
          verdict: {
            enum: ['allow', 'ask', 'deny'],
            enumDescriptions: [
              text('setting.policy.allow', 'The call runs. Counts in your user settings only.'),
              text('setting.policy.ask', 'You are asked first.'),
              text('setting.policy.deny', 'The call is refused.'),
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
