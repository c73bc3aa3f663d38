export { readServers, type Surroundings } from './config/mcp-json.ts';
export type { HttpEntry, ServerEntry, StdioEntry } from './config/server-entry.ts';
export { ServersFileError } from './config/servers-file-error.ts';
export {
  type ConnectionOptions,
  type ConnectionState,
  type ServerConnection,
  useMcpConnection,
} from './connection.ts';
export { foreignTool } from './offers/foreign-tool.ts';
export { type Servers, type ServersOptions, useServers } from './use-servers.ts';
