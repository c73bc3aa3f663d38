import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '#src/stores/sqlite/sqlite.ts';

test('that Node calls its SQLite experimental is said to nobody; every other warning is', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on('warning', hear);
  const { getBuiltinModule, emitWarning } = process;
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((id: string) => {
    // As Node 22 does, once in a process.
    process.emitWarning(
      'SQLite is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    process.emitWarning('another one', 'ExperimentalWarning');
    return getBuiltinModule(id as 'node:sqlite');
  });
  onTestFinished(() => {
    process.off('warning', hear);
    vi.restoreAllMocks();
  });
  openSqlite(':memory:').close();
  process.emitWarning('later');
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual(['another one', 'later']);
  expect(process.emitWarning).toBe(emitWarning);
});
