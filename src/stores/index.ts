/**
 * Where calls are kept: in memory, or in SQLite.
 *
 * @packageDocumentation
 */

export type {
  Append,
  CallName,
  CallStore,
  CallSummary,
  Claim,
  ClaimOutcome,
  DueCall,
  EventAppend,
  InboxMessage,
  LeaveOutcome,
  ListOptions,
  NewCall,
  StoredCall,
} from '../runtime/journal/call-store.ts';
export type { StoreBounds } from './bounds.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
