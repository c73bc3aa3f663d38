// Takes the place of the native module @vscode/sqlite3, which npm cannot deliver without a compiler. Without it VS Code keeps nothing of
// what Copilot's agent host does, and that host makes no session.
const { DatabaseSync } = require('node:sqlite');

class Database {
  constructor(path, opened) {
    later(opened, () => {
      this.file = new DatabaseSync(path);
    });
  }

  exec(sql, done) {
    later(done, () => this.file.exec(sql));
  }
  run(sql, given, done) {
    later(
      done &&
        ((error, { changes, lastInsertRowid } = {}) =>
          done.call({ changes, lastID: lastInsertRowid }, error)),
      () => this.file.prepare(sql).run(...given.map(bound)),
    );
  }
  get(sql, given, done) {
    later(done, () => this.file.prepare(sql).get(...given.map(bound)));
  }
  all(sql, given, done) {
    later(done, () => this.file.prepare(sql).all(...given.map(bound)));
  }
  // One thing is done after the other anyway.
  serialize(work) {
    work?.();
  }
  close(done) {
    later(done, () => this.file.close());
  }
}

/** Does it now, and tells of it afterwards, as what waits for the disk does. */
function later(done = () => {}, work) {
  try {
    const result = work();
    setImmediate(() => done(null, result));
  } catch (error) {
    setImmediate(() => done(error));
  }
}

/** SQLite has no truth values. */
const bound = (value) => (typeof value === 'boolean' ? Number(value) : (value ?? null));

exports.Database = Database;
