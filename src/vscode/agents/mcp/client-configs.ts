/** What an MCP client needs to find the server of a workspace. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** A client whose way of configuration we know. */
export interface ConfigurableClient {
  readonly id: string;
  readonly label: string;
  /** What its calls are shown as, when it is the first of its kind. */
  readonly name: string;
  /** Where what is copied goes. */
  readonly where: string;
  text(endpoint: Endpoint): string;
}

const server = 'parley';

/** Clients, the best known first; the last is for all others. */
export const configurableClients: readonly ConfigurableClient[] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    name: 'Claude Code',
    // Not a command: the token would stay in the shell's history, and everybody could read it while the command runs.
    where: '.mcp.json',
    text: ({ url, token }) =>
      json({ mcpServers: { [server]: { type: 'http', url, headers: headers(token) } } }),
  },
  {
    id: 'cursor',
    label: 'Cursor',
    name: 'Cursor',
    where: '.cursor/mcp.json',
    text: ({ url, token }) => json({ mcpServers: { [server]: { url, headers: headers(token) } } }),
  },
  {
    id: 'vscode',
    label: 'VS Code (another window)',
    name: 'VS Code',
    where: '.vscode/mcp.json',
    text: ({ url, token }) => json({ servers: { [server]: { type: 'http', url, headers: headers(token) } } }),
  },
  {
    id: 'codex',
    label: 'Codex',
    name: 'Codex',
    where: '~/.codex/config.toml',
    // It reads `http_headers`, and ignores `headers`. Both strings are JSON's, which TOML takes as its own.
    text: ({ url, token }) =>
      [
        `[mcp_servers.${server}]`,
        `url = ${JSON.stringify(url)}`,
        `http_headers = { Authorization = ${JSON.stringify(bearer(token))} }`,
        '',
      ].join('\n'),
  },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    name: 'Gemini CLI',
    where: '.gemini/settings.json',
    text: ({ url, token }) => json({ mcpServers: { [server]: { httpUrl: url, headers: headers(token) } } }),
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    name: 'Windsurf',
    where: '~/.codeium/windsurf/mcp_config.json',
    text: ({ url, token }) => json({ mcpServers: { [server]: { serverUrl: url, headers: headers(token) } } }),
  },
  {
    id: 'cline',
    label: 'Cline',
    name: 'Cline',
    where: 'cline_mcp_settings.json',
    text: ({ url, token }) =>
      json({ mcpServers: { [server]: { type: 'streamableHttp', url, headers: headers(token) } } }),
  },
  {
    id: 'zed',
    label: 'Zed',
    name: 'Zed',
    where: '~/.config/zed/settings.json',
    text: ({ url, token }) => json({ context_servers: { [server]: { url, headers: headers(token) } } }),
  },
  {
    id: 'other',
    label: 'Other clients',
    name: 'MCP client',
    where: 'JSON that most clients read',
    text: ({ url, token }) =>
      json({ mcpServers: { [server]: { type: 'http', url, headers: headers(token) } } }),
  },
];

function bearer(token: string): string {
  return `Bearer ${token}`;
}

function headers(token: string) {
  return { Authorization: bearer(token) };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
