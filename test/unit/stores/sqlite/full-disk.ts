// What a store does on a disk that is full, and on one that cannot be written: FOLDER is a file system of its own, and small. With
// `limited` it is not, but no file may grow beyond what this process is allowed: then nobody can make room.
// Says as JSON what was acknowledged, what is there, and with which errors the rest was refused.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'effection';
import { isParleyError } from '#src/core/errors/errors.ts';
import { createSqliteStore, type SqliteStore } from '#src/stores/index.ts';

const [folder = '', limited] = process.argv.slice(2);
const keys = [Buffer.alloc(32, 7)];
const fresh = (): SqliteStore => createSqliteStore({ folder: join(folder, 'calls'), keys });
const name = { principal: '', conversation: '', callId: 'long' };
const line = (n: number) => ({ n, text: 'x'.repeat(500) });

/** The code of what an operation fails with; `undefined` when it does not. */
async function refusal(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return isParleyError(error) ? error.code : String(error);
  }
}

const filler = join(folder, 'filler');
const store = fresh();
const claim = await run(() => store.begin({ name, header: { tool: 'long' } }));
let acknowledged = 0;
const append = () => run(() => store.append(claim, { at: acknowledged, lines: [line(acknowledged)] }));

if (!limited) writeFileSync(filler, Buffer.alloc(256 * 1024));
let full: string | undefined;
while (full === undefined) {
  full = await refusal(append);
  if (full === undefined) acknowledged += 1;
}
const newCall = await refusal(() =>
  run(() => store.begin({ name: { ...name, callId: 'new' }, header: line(0) })),
);
const whileFull = acknowledged;
const readWhileFull = (await run(() => store.read(name)))?.lineCount;

const probe = await refusal(() => run(() => store.check()));

const told = { full, probe, newCall, whileFull, readWhileFull };
if (limited) {
  process.stdout.write(JSON.stringify(told));
  process.exit(0);
}

// Somebody makes room: the call goes on.
rmSync(filler);
await append();
acknowledged += 1;
await append();
acknowledged += 1;
const probeWithRoom = await refusal(() => run(() => store.check()));
const whole = async () => {
  const again = fresh();
  const kept = await run(() => again.read(name));
  await again.close();
  return kept?.lines.filter((one, n) => JSON.stringify(one) === JSON.stringify(line(n))).length;
};
const kept = await whole();

await store.close();
const mount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, folder]);
mount('ro');
const onReadOnly = fresh();
const readOnly = await refusal(() => run(() => onReadOnly.append(claim, { at: acknowledged, lines: [1] })));
const readOnlyNew = await refusal(() =>
  run(() => onReadOnly.begin({ name: { ...name, callId: 'ro' }, header: 1 })),
);
const readOnlyProbe = await refusal(() => run(() => onReadOnly.check()));
mount('rw');
await run(() => onReadOnly.append(claim, { at: acknowledged, lines: [line(acknowledged)] }));
acknowledged += 1;
const read = await whole();
process.stdout.write(
  JSON.stringify({ ...told, acknowledged, kept, readOnly, readOnlyNew, readOnlyProbe, probeWithRoom, read }),
);
process.exit(0);
