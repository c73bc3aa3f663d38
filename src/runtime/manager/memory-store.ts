import type { SessionRecord, SessionStore } from './manager.ts';

/** Keeps the metadata of sessions in memory. `now` is what `updatedAt` goes by. */
export function createMemoryStore(now: () => number = Date.now): SessionStore {
  const records = new Map<string, SessionRecord>();
  const update = (key: string, change: (record: SessionRecord) => SessionRecord) => {
    const record = records.get(key);
    if (record) records.set(key, { ...change(record), updatedAt: now() });
    return records.get(key);
  };
  return {
    *get(key) {
      return records.get(key);
    },
    *set(key, record) {
      records.set(key, record);
    },
    *delete(key) {
      records.delete(key);
    },
    *updateStatus(key, status) {
      update(key, (record) => ({ ...record, status }));
    },
    *updateRefCount(key, change) {
      return update(key, (record) => ({ ...record, refCount: record.refCount + change }))?.refCount ?? 0;
    },
  };
}
