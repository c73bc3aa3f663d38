import { join } from 'node:path';
import type { JsonObject } from '../../core/messages/json.ts';
import type { EntryPlace } from './entry-text.ts';

/** A command with its arguments, which starts a server on stdio. */
export type ServerCommand = readonly [command: string, ...args: readonly string[]];

/** A server that listens on this machine, and the token that it wants to see. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** Whose configuration it is. */
export interface PersonsPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** An agent, and how it is told of a server. */
export interface AgentSetup extends Omit<EntryPlace, 'name'> {
  readonly id: string;
  /** Its name, as its makers write it. */
  readonly label: string;
  /** The configuration of a person. */
  file(place: PersonsPlace): string;
  entry(server: ServerCommand): JsonObject;
  /** The entry of a server that listens. */
  remote(endpoint: Endpoint): JsonObject;
  /** Its file is left to the person: it has a command of its own for this, or is in a format that is not written here. */
  readonly byHand?: true;
}

const inHome =
  (...path: readonly string[]) =>
  ({ home }: PersonsPlace): string =>
    join(home, ...path);

const commandAndArgs = ([command, ...args]: ServerCommand) => ({ command, args });

const headers = ({ token }: Endpoint) => ({ Authorization: `Bearer ${token}` });
/** As most read it; some have another word for the address. */
const http = (endpoint: Endpoint) => ({ type: 'http', url: endpoint.url, headers: headers(endpoint) });
const addressAs = (key: string) => (endpoint: Endpoint) => ({
  [key]: endpoint.url,
  headers: headers(endpoint),
});

const mcpServers = { format: 'json', servers: ['mcpServers'] } as const;

function openCode(id: string, label: string): AgentSetup {
  return {
    id,
    label,
    format: 'json',
    servers: ['mcp'],
    file: inHome('.config', id, `${id}.json`),
    entry: (command) => ({ type: 'local', command, enabled: true }),
    remote: (endpoint) => ({ ...http(endpoint), type: 'remote', enabled: true }),
    byHand: true,
  };
}

/** Agents whose configuration is written here first; each as it documents it. */
export const agentSetups: readonly AgentSetup[] = [
  {
    id: 'vscode',
    label: 'VS Code',
    format: 'json',
    servers: ['servers'],
    file: ({ home, env, platform }) => {
      const data =
        platform === 'win32'
          ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
          : platform === 'darwin'
            ? join(home, 'Library', 'Application Support')
            : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
      return join(data, 'Code', 'User', 'mcp.json');
    },
    entry: (server) => ({ type: 'stdio', ...commandAndArgs(server) }),
    remote: http,
  },
  {
    id: 'claude',
    label: 'Claude Code',
    ...mcpServers,
    file: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
    entry: (server) => ({ type: 'stdio', ...commandAndArgs(server) }),
    remote: http,
  },
  {
    id: 'copilot',
    label: 'Copilot CLI',
    ...mcpServers,
    file: ({ home, env }) => join(env.COPILOT_HOME ?? join(home, '.copilot'), 'mcp-config.json'),
    entry: (server) => ({ type: 'local', ...commandAndArgs(server), tools: ['*'] }),
    remote: (endpoint) => ({ ...http(endpoint), tools: ['*'] }),
  },
  {
    id: 'codex',
    label: 'Codex',
    format: 'toml',
    servers: ['mcp_servers'],
    file: ({ home, env }) => join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
    entry: commandAndArgs,
    // It reads `http_headers`, and ignores `headers`.
    remote: (endpoint) => ({ url: endpoint.url, http_headers: headers(endpoint) }),
  },
  openCode('opencode', 'OpenCode'),
  openCode('kilo', 'Kilo'),
  {
    id: 'gemini',
    label: 'Gemini CLI',
    ...mcpServers,
    file: inHome('.gemini', 'settings.json'),
    entry: commandAndArgs,
    remote: addressAs('httpUrl'),
    byHand: true,
  },
  {
    id: 'qwen',
    label: 'Qwen Code',
    ...mcpServers,
    file: inHome('.qwen', 'settings.json'),
    entry: commandAndArgs,
    remote: addressAs('httpUrl'),
    byHand: true,
  },
  {
    id: 'cline',
    label: 'Cline',
    ...mcpServers,
    file: inHome('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    entry: (server) => ({ transport: { type: 'stdio', ...commandAndArgs(server) } }),
    remote: (endpoint) => ({ ...http(endpoint), type: 'streamableHttp' }),
    byHand: true,
  },
  {
    id: 'cursor',
    label: 'Cursor',
    ...mcpServers,
    file: inHome('.cursor', 'mcp.json'),
    entry: commandAndArgs,
    remote: addressAs('url'),
    byHand: true,
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    ...mcpServers,
    file: inHome('.codeium', 'windsurf', 'mcp_config.json'),
    entry: commandAndArgs,
    remote: addressAs('serverUrl'),
    byHand: true,
  },
  {
    id: 'zed',
    label: 'Zed',
    format: 'json',
    servers: ['context_servers'],
    file: inHome('.config', 'zed', 'settings.json'),
    entry: commandAndArgs,
    remote: addressAs('url'),
    byHand: true,
  },
];
