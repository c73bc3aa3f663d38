/**
 * Calls that several servers share, in PostgreSQL.
 *
 * @packageDocumentation
 */

export type { CallStore } from '../../runtime/journal/call-store.ts';
export type { StoreBounds } from '../bounds.ts';
export type { PostgresAddress } from './database.ts';
export { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts';
