/**
 * A conversation with a model that calls tools, in a program of your own.
 *
 * @packageDocumentation
 */

export type { AnyPlugin } from '../core/plugin/plugin.ts';
export type { SampleAnswer } from '../core/tool/ask.ts';
export type { AnyTool } from '../core/tool/tool.ts';
export type { ManagerLimits, SessionManager } from '../runtime/manager/manager.ts';
export { createSessionManager } from '../runtime/manager/session-manager.ts';
export type { Client } from '../runtime/session/client.ts';
export type { Session } from '../runtime/session/session.ts';
export { type ChatEngine, createChatEngine } from './engine.ts';
export type {
  ChatEvent,
  PluginElicitRequestEvent,
  PluginSessionErrorEvent,
  SessionErrorCode,
  TurnEnd,
} from './events.ts';
export { type ChatHandlerOptions, createChatHandler } from './http.ts';
export type { ChatModel, ChatModelRequest, ChatToolSpec } from './model.ts';
export type { ChatEngineOptions, ProposedCall, Waiting } from './options.ts';
export {
  type AwaitingCall,
  type ChatRequestBody,
  type ConversationState,
  newConversation,
  type PluginAbort,
  type PluginElicitResponse,
} from './state.ts';
