// A process with a store of its own, told what to do by its arguments: FOLDER KEY JOB CALL. An address of PostgreSQL is no folder.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run } from 'effection';
import { createSqliteStore } from '#src/stores/index.ts';
import { createPostgresStore } from '#src/stores/postgres/index.ts';

const [folder = '', key = '', job = '', callId = ''] = process.argv.slice(2);
const name = { principal: 'ann', conversation: '', callId };
const keys = [Buffer.from(key, 'base64url')];
const store = folder.startsWith('postgres:')
  ? createPostgresStore({ url: folder, keys })
  : createSqliteStore({ folder, keys });
const say = (text: string) => process.stdout.write(`${text}\n`);

const jobs: Readonly<Record<string, () => Promise<void>>> = {
  /** Appends numbers until it is killed, or cannot, and says each once it is kept. */
  async append() {
    const outcome = await run(() => store.claim(name));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    const call = await run(() => store.read(name));
    for (let at = call?.lineCount ?? 0; ; at += 1) {
      await run(() => store.append(outcome.claim, { at, lines: [at] }));
      say(`${at}`);
    }
  },
  /** Appends a number whenever it is told to. */
  async cue() {
    const outcome = await run(() => store.claim(name));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    say('claimed');
    for (let at = 0; ; at += 1) {
      await new Promise((resolve) => process.stdin.once('data', resolve));
      await run(() => store.append(outcome.claim, { at, lines: [at] }));
      say(`${at}`);
    }
  },
  /** Holds a call until it is killed. */
  async hold() {
    const outcome = await run(() => store.claim(name));
    say(outcome.type);
    if (outcome.type === 'claimed') setInterval(() => {}, 1000);
  },
  /** Begins calls until it is killed, and says each once it is kept. */
  async begin() {
    for (let i = 0; ; i += 1) {
      const begun = { ...name, callId: `${callId} ${i}` };
      await run(() => store.begin({ name: begun, header: null, lines: ['x'.repeat(3000)] }));
      say(`${i}`);
    }
  },
  /** Claims when it is told to. */
  async race() {
    await run(() => store.read(name));
    say('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    say((await run(() => store.claim(name))).type);
    setInterval(() => {}, 1000);
  },
  /** Begins to write in the database, and is not done before it ends. */
  async lock() {
    const db = new DatabaseSync(join(folder, 'calls.db'));
    db.exec('begin immediate');
    say('locked');
    setInterval(() => db.isOpen, 1000);
  },
  /** Tries to begin a call as a user without rights. */
  async weak() {
    if (process.getuid?.() === 0) process.setuid?.(65_534);
    await run(() => store.begin({ name, header: null }));
  },
};

try {
  await jobs[job]?.();
} catch (error) {
  const { code, message } = Object(error);
  say(`${code}: ${message}`);
}
