/** Runs tools: sessions, who drives them, and what bounds them. */

export { runHandler, type ViewPort } from './context/run-handler.ts';
export { toJson, toLoggedJson } from './data/json-data.ts';
export { compose } from './drive/compose.ts';
export { type DriveOptions, drive, type Parked } from './drive/drive.ts';
export type * from './manager/manager.ts';
export { createMemoryStore } from './manager/memory-store.ts';
export { createSessionManager } from './manager/session-manager.ts';
export type * from './session/ask.ts';
export { canAnswer, composeCapabilities, missingCapability, requirementOf } from './session/capabilities.ts';
export type * from './session/client.ts';
export { type Diagnose, type Diagnostic, DiagnosticsContext } from './session/diagnostics.ts';
export type * from './session/events.ts';
export type * from './session/session.ts';
