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
export { createFilesStore, type FilesStore, type FilesStoreOptions } from './files/files-store.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
