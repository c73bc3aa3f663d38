/** The chat engine: a conversation with a model that calls Parley's tools, on any surface. */
export { type ChatEngine, createChatEngine } from './engine.ts';
export type * from './events.ts';
export { createChatHandler } from './http.ts';
export type * from './model.ts';
export type * from './options.ts';
export * from './state.ts';
