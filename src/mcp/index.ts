/**
 * Serves tools, prompts and resources to any MCP client.
 *
 * @packageDocumentation
 */

export type { Calls } from '../calls/port.ts';
export type { ClientCapabilities } from '../core/tool/context.ts';
export { compose } from '../runtime/drive/compose.ts';
export { type Blocked, type DriveOptions, drive } from '../runtime/drive/drive.ts';
export type { ManagerLimits, SessionManager } from '../runtime/manager/manager.ts';
export { createSessionManager } from '../runtime/manager/session-manager.ts';
export type { Answer, Ask, ElicitAsk, RootsAsk, SampleAsk } from '../runtime/session/ask.ts';
export type { Client } from '../runtime/session/client.ts';
export type { EndEvent, SessionEvent } from '../runtime/session/events.ts';
export { type Fault, FaultsContext } from '../runtime/session/faults.ts';
export type { Attached, Session, SessionStatus } from '../runtime/session/session.ts';
export type { OwnPagesOptions, PageViews } from './apps/own-pages.ts';
export type { AppPage, AppPages, PageEnd } from './apps/pages.ts';
export type { Caller } from './caller.ts';
export type { CatalogOffer, Listed, Served } from './catalog/catalog.ts';
export type { PersonalOffer, UsedOffer } from './catalog/served-lists.ts';
export type { Approve, CatchUp, CodeSurface, InnerCall, SurfaceOptions } from './catalog/surface.ts';
export type { Holding } from './holdings.ts';
export type { ServerInfo } from './host.ts';
export type { Principal, TokenAccess } from './http/guard.ts';
export type { HttpHandler } from './http/handler.ts';
export { BACKLOG, createHttpServer, isFor } from './http/http-server.ts';
export { HTTP_LIMITS, type HttpLimits } from './http/limits.ts';
export { newToken } from './http/token.ts';
export { checkOAuth, type OAuthOptions } from './login/oauth-options.ts';
export type { ModelLimits } from './model/budget.ts';
export { createModelClient, type ModelOptions } from './model/model-client.ts';
export type { HandlerOptions, McpServerOptions } from './options.ts';
export { type PageHere, usePageHere } from './published/page-here.ts';
export type { PublishOptions } from './published/published-pages.ts';
export { createMcpServer, type McpConnection, type McpServer, useMcpServer } from './server.ts';
export type { MessageTransport } from './stdio/line-transport.ts';
