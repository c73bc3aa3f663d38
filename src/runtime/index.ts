/** Runs tools: sessions, who drives them, and what bounds them. */
export type * from './ask.ts';
export { canAnswer, composeCapabilities, missingCapability, requirementOf } from './capabilities.ts';
export type * from './client.ts';
export { compose } from './compose.ts';
export { type Diagnose, type Diagnostic, DiagnosticsContext } from './diagnostics.ts';
export { type DriveOptions, drive, type Parked } from './drive.ts';
export type * from './events.ts';
export { toJson, toLoggedJson } from './json-data.ts';
export type * from './manager.ts';
export { createMemoryStore } from './memory-store.ts';
export { runHandler, type ViewPort } from './run-handler.ts';
export type * from './session.ts';
export { createSessionManager } from './session-manager.ts';
