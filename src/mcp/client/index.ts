export { readServers } from './config/mcp-json.ts';
export type { ServerEntry } from './config/server-entry.ts';
export { ServersFileError } from './config/servers-file-error.ts';
export { type ServerConnection, useMcpConnection } from './connection.ts';
export { foreignTool } from './offers/foreign-tool.ts';
export { useServers } from './use-servers.ts';
