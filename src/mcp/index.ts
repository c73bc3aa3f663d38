/** `parley-mcp/server`: serves tools, prompts and resources to any MCP client. */

export type { ClientCapabilities } from '../core/context.ts';
export type { Client } from '../runtime/client.ts';
export { compose } from '../runtime/compose.ts';
export type { ManagerLimits, SessionManager } from '../runtime/manager.ts';
export { createSessionManager } from '../runtime/session-manager.ts';
export type { Listed, Offer, Served } from './catalog/catalog.ts';
export type { SurfaceOptions } from './catalog/surface.ts';
export type { Caller, ServerInfo } from './host.ts';
export type { Principal, TokenAccess } from './http/guard.ts';
export type { HttpHandler } from './http/handler.ts';
export { createHttpServer, isFor } from './http/http-server.ts';
export { HTTP_LIMITS, type HttpLimits } from './http/limits.ts';
export { newToken } from './http/token.ts';
export type { HandlerOptions, McpServerOptions } from './options.ts';
export { createMcpServer, type McpConnection, type McpServer, useMcpServer } from './server.ts';
export type { MessageTransport } from './stdio/line-transport.ts';
