/** What this Parley writes. */
export const SQLITE_VERSION = 1;

/** Says in the file whose it is: `PRLY`. */
export const APPLICATION = 0x50524c59;

/** The steps from each version of the tables to the next. One that has been released is never changed. */
export const sqliteSteps: readonly string[] = [
  `
  create table store (
    one integer primary key check (one = 1),
    id text not null,
    -- One number for each claim of any call: that of a call which was forgotten never fits a new one of its name.
    fence integer not null,
    -- Written to see whether anything can be.
    probe blob
  ) strict;
  -- Names are digests. Times are milliseconds since the epoch.
  create table calls (
    id blob primary key,
    principal blob not null,
    conversation blob not null,
    key text not null,
    salt blob not null,
    fence integer not null,
    owner text,
    touched integer not null,
    due integer,
    ended integer,
    lines integer not null,
    entries integer not null,
    size integer not null,
    events integer not null default 0,
    event_size integer not null default 0,
    inbox integer not null default 0,
    inbox_size integer not null default 0,
    -- How often those who watch it were told.
    told integer not null default 0
  ) strict, without rowid;
  -- Rows of calls are small, so that all of them are looked through soon; each index would be written with every write.
  create index by_end on calls (ended) where ended is not null;
  create index by_principal on calls (principal);
  create index by_due on calls (due) where due is not null and ended is null;
  create index by_owner on calls (id) where owner is not null and ended is null;
  create index by_inbox on calls (id) where inbox > 0 and owner is null and ended is null;
  -- What a list shows: name and header, and notes.
  create table contents (call blob primary key references calls on delete cascade, head blob not null, notes blob not null) strict;
  create table entries (
    call blob not null references calls on delete cascade, seq integer not null, body blob not null, primary key (call, seq)
  ) strict, without rowid;
  create table events (
    call blob not null references calls on delete cascade, seq integer not null, body blob not null, primary key (call, seq)
  ) strict, without rowid;
  create table inbox (
    seq integer primary key autoincrement,
    call blob not null references calls on delete cascade,
    message blob not null,
    digest blob not null,
    body blob not null,
    unique (call, message)
  ) strict;
  -- What each principal has: counted as it comes and goes, because each new call asks for it.
  create table loads (principal blob primary key, calls integer not null, bytes integer not null) strict, without rowid;
  create trigger begun after insert on calls begin
    insert into loads values (new.principal, 1, new.size + new.event_size + new.inbox_size)
      on conflict do update set calls = calls + 1, bytes = bytes + excluded.bytes;
  end;
  create trigger changed after update of size, event_size, inbox_size on calls begin
    update loads set bytes = bytes + new.size + new.event_size + new.inbox_size - old.size - old.event_size - old.inbox_size
      where principal = new.principal;
  end;
  create trigger gone after delete on calls begin
    update loads set calls = calls - 1, bytes = bytes - old.size - old.event_size - old.inbox_size
      where principal = old.principal;
    delete from loads where principal = old.principal and calls = 0;
  end;
  `,
];
