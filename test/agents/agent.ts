import { join } from 'node:path';
import { agentSetups } from '#src/cli/setup/agents.ts';

/** How a program is started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What an agent is set up with. */
export interface Place {
  /** Folder that is the home of the agent's user. */
  readonly home: string;
  /** Folder that the agent works in. */
  readonly project: string;
  /** Folder that npm installed the agent into. */
  readonly installed: string;
  /** Address of the model. */
  readonly model: string;
  /** Command line of the MCP server. */
  readonly server: readonly [command: string, ...args: readonly string[]];
  /** The server's entry is written by `parley-mcp setup`, and so not here. */
  readonly bySetup: boolean;
  /** The person has said that they trust the project. */
  readonly trusts: boolean;
}

/** A program that people talk with, which calls tools of MCP servers. */
export interface Agent {
  readonly id: string;
  /** Its name, as its makers write it. */
  readonly name: string;
  /** Its package on npm; flags are handed to `npm install`. */
  readonly npm: { readonly name: string; readonly version: string; readonly flags?: readonly string[] };
  /** Its configuration: files below its home, and how it is started there. */
  setUp(place: Place): {
    readonly files: Readonly<Record<string, unknown>>;
    readonly command: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
  /** Arguments with which it takes one prompt and ends. */
  once(prompt: string): readonly string[];
}

const bin = (place: Place, name: string) => join(place.installed, 'node_modules/.bin', name);
/** The entry that `parley-mcp setup` prints. */
const printed = (id: string, server: Place['server']) =>
  agentSetups.find((agent) => agent.id === id)?.entry(server);
const text = (parts: TemplateStringsArray, ...values: readonly unknown[]) => String.raw(parts, ...values);

const claude: Agent = {
  id: 'claude',
  name: 'Claude Code',
  npm: { name: '@anthropic-ai/claude-code', version: '2.1.332' },
  setUp(place) {
    const { model, project, server, bySetup, trusts } = place;
    const [command, ...args] = server;
    return {
      files: {
        '.claude.json': {
          hasCompletedOnboarding: true,
          theme: 'dark',
          customApiKeyResponses: { approved: ['00000000000000000000'], rejected: [] },
          bypassPermissionsModeAccepted: true,
          projects: trusts
            ? { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
            : {},
        },
        'servers.json': { mcpServers: { parley: { command, args } } },
      },
      command: bin(place, 'claude'),
      args: [
        ...(bySetup ? [] : ['--mcp-config', join(place.home, 'servers.json'), '--strict-mcp-config']),
        ...(trusts ? ['--dangerously-skip-permissions'] : ['--allowedTools', 'mcp__parley__show']),
        ...['--model', 'claude-sonnet-4-5'],
      ],
      env: {
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: 'sk-ant-fake-000000000000000000000000000000',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    };
  },
  once: (prompt) => ['-p', prompt],
};

const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  npm: { name: '@openai/codex', version: '0.171.0' },
  setUp(place) {
    const { model, project, server, bySetup, trusts } = place;
    const [command, ...args] = server;
    const entry = text`[mcp_servers.parley]
required = true
startup_timeout_sec = 60
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
`;
    return {
      files: {
        '.codex/config.toml': text`model = "scripted"
model_provider = "local"
approval_policy = "on-request"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.local]
name = "local"
base_url = "${model}/v1"
wire_api = "responses"
${trusts ? `[projects."${project}"]\ntrust_level = "trusted"` : ''}
${bySetup ? '' : entry}`,
      },
      command: bin(place, 'codex'),
    };
  },
  once: (prompt) => ['exec', '--skip-git-repo-check', prompt],
};

const copilot: Agent = {
  id: 'copilot',
  name: 'Copilot CLI',
  npm: { name: '@github/copilot', version: '1.0.102' },
  setUp(place) {
    const { home, model, project, server, bySetup, trusts } = place;
    const [command, ...args] = server;
    return {
      files: {
        '.copilot/mcp-config.json': {
          mcpServers: bySetup ? {} : { parley: { type: 'local', command, args, tools: ['*'] } },
        },
        '.copilot/config.json': { trusted_folders: trusts ? [project] : [], banner: 'never' },
      },
      command: bin(place, 'copilot'),
      args: ['--allow-all-tools'],
      env: {
        COPILOT_HOME: join(home, '.copilot'),
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_MODEL: 'scripted',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_MULTIPLEXER: 'none',
      },
    };
  },
  once: (prompt) => ['-p', prompt],
};

/** OpenCode, and what was made of it. */
function opencode(id: string, name: string, npm: Agent['npm'], program: (place: Place) => string): Agent {
  return {
    id,
    name,
    npm,
    setUp(place) {
      const { home, model, server } = place;
      const config = {
        autoupdate: false,
        share: 'disabled',
        model: 'local/scripted',
        small_model: 'local/scripted',
        permission: { '*': 'allow' },
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Local',
            options: { baseURL: `${model}/v1`, apiKey: 'fake' },
            models: {
              scripted: { name: 'Scripted', limit: { context: 200_000, output: 8000 }, tool_call: true },
            },
          },
        },
        mcp: { parley: printed(id, server) },
      };
      const prefix = id.toUpperCase();
      return {
        files: {
          [`.config/${id}/opencode.json`]: config,
          ...(id !== 'opencode' && { [`.config/${id}/${id}.json`]: config }),
        },
        command: program(place),
        env: {
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_DATA_HOME: join(home, '.local/share'),
          XDG_CACHE_HOME: join(home, '.cache'),
          XDG_STATE_HOME: join(home, '.local/state'),
          [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
          [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
          [`${prefix}_DISABLE_LSP_DOWNLOAD`]: '1',
          [`${prefix}_DISABLE_DEFAULT_PLUGINS`]: '1',
        },
      };
    },
    once: (prompt) => ['run', prompt],
  };
}

/** Settings of Gemini CLI, and of what was made of it. */
const geminiSettings = (id: string, { server, trusts }: Place, selectedType: string) => ({
  security: { auth: { selectedType }, ...(trusts && { folderTrust: { enabled: false } }) },
  general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  mcpServers: { parley: { ...printed(id, server), trust: true } },
});

const gemini: Agent = {
  id: 'gemini',
  name: 'Gemini CLI',
  npm: { name: '@google/gemini-cli', version: '0.61.0' },
  setUp: (place) => ({
    files: { '.gemini/settings.json': geminiSettings('gemini', place, 'gemini-api-key') },
    command: bin(place, 'gemini'),
    args: [...(place.trusts ? ['--skip-trust'] : []), '-y', '-m', 'gemini-2.5-pro'],
    env: {
      GOOGLE_GEMINI_BASE_URL: place.model,
      GEMINI_API_KEY: 'fake',
      GEMINI_TELEMETRY_ENABLED: 'false',
    },
  }),
  once: (prompt) => ['-p', prompt],
};

const qwen: Agent = {
  id: 'qwen',
  name: 'Qwen Code',
  npm: { name: '@qwen-code/qwen-code', version: '0.24.4' },
  setUp: (place) => ({
    files: {
      '.qwen/settings.json': {
        ...geminiSettings('qwen', place, 'openai'),
        model: { name: 'scripted' },
        $version: 3,
      },
    },
    command: bin(place, 'qwen'),
    args: [
      ...['-y', '--auth-type', 'openai', '--openai-base-url', `${place.model}/v1`],
      ...['--openai-api-key', 'fake', '-m', 'scripted'],
    ],
  }),
  once: (prompt) => ['-p', prompt],
};

const continueCli: Agent = {
  id: 'continue',
  name: 'Continue',
  npm: { name: '@continuedev/cli', version: '1.5.47' },
  setUp(place) {
    const [command, ...args] = place.server;
    // YAML takes JSON.
    const config = {
      name: 'test',
      version: '0.0.1',
      schema: 'v1',
      models: [
        {
          name: 'scripted',
          provider: 'openai',
          model: 'scripted',
          apiBase: `${place.model}/v1`,
          apiKey: 'fake',
          roles: ['chat'],
          capabilities: ['tool_use'],
        },
      ],
      mcpServers: [{ name: 'parley', command, args }],
    };
    return {
      files: { '.continue/config.yaml': config },
      command: bin(place, 'cn'),
      args: ['--config', join(place.home, '.continue/config.yaml'), '--auto'],
      env: { CONTINUE_GLOBAL_DIR: join(place.home, '.continue'), CONTINUE_TELEMETRY_ENABLED: '0' },
    };
  },
  once: (prompt) => ['-p', prompt],
};

const cline: Agent = {
  id: 'cline',
  name: 'Cline',
  npm: { name: 'cline', version: '3.0.65' },
  setUp(place) {
    const provider = 'openai-compatible';
    const settings = { provider, apiKey: 'fake', model: 'scripted', baseUrl: `${place.model}/v1` };
    return {
      files: {
        '.cline/data/settings/cline_mcp_settings.json': {
          mcpServers: { parley: printed('cline', place.server) },
        },
        '.cline/data/settings/providers.json': {
          version: 1,
          lastUsedProvider: provider,
          modes: {},
          providers: {
            [provider]: { settings, updatedAt: '2026-11-28T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      },
      command: bin(place, 'cline'),
      env: { CLINE_TELEMETRY: '0', CLINE_NO_AUTO_UPDATE: '1', DO_NOT_TRACK: '1' },
    };
  },
  once: (prompt) => [prompt],
};

/** All agents, those that draw forms first. */
export const agents: readonly Agent[] = [
  claude,
  codex,
  copilot,
  opencode('opencode', 'OpenCode', { name: 'opencode-ai', version: '1.18.33' }, (place) =>
    bin(place, 'opencode'),
  ),
  opencode(
    'kilo',
    'Kilo',
    // The package that chooses a platform's is one version ahead of them, and does not install.
    { name: '@kilocode/cli-linux-x64', version: '7.7.9', flags: ['--ignore-scripts', '--omit=optional'] },
    ({ installed }) => join(installed, 'node_modules/@kilocode/cli-linux-x64/bin/kilo'),
  ),
  gemini,
  qwen,
  cline,
  continueCli,
];
