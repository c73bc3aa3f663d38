/** The oldest tables that can be changed into those of this Parley. */
export const FIRST = 2;

/** What this Parley writes. */
export const VERSION = 2;

/** The steps to the first version of the tables, and from each to the next. One that has been released is never changed. */
export function migrations(schema: string): readonly string[] {
  return [
    `
    create table ${schema}.store (
      one boolean primary key default true check (one),
      id text not null,
      version integer not null,
      -- The oldest version of the tables whose Parley may still write here.
      oldest integer not null
    );
    -- Ids of the keys that have sealed something. They say nothing about the keys.
    create table ${schema}.keys (id text primary key, since timestamptz not null default now());
    -- One number for each claim of any call, and one for each process.
    create sequence ${schema}.fences;
    create sequence ${schema}.owners as integer cycle;
    -- Names are digests. Times are milliseconds since the epoch.
    create table ${schema}.calls (
      id bytea primary key,
      principal bytea not null,
      conversation bytea not null,
      key text not null,
      salt bytea not null,
      fence bigint not null,
      owner integer,
      begun bigint not null,
      touched bigint not null,
      due bigint,
      ended bigint,
      lines integer not null,
      -- How often it was written: the number of its next entry.
      entries integer not null,
      -- Its name and header, and its notes, sealed: all that a list shows.
      head bytea not null,
      notes bytea not null,
      size bigint not null,
      events integer not null default 0,
      event_size bigint not null default 0,
      inbox integer not null default 0,
      inbox_size bigint not null default 0
    ) with (fillfactor = 70);
    create index on ${schema}.calls (principal);
    create index on ${schema}.calls (due) where due is not null and ended is null;
    create index on ${schema}.calls (owner) where owner is not null and ended is null;
    create index on ${schema}.calls (ended) where ended is not null;
    create index on ${schema}.calls (id) where inbox > 0 and ended is null and owner is null;
    create table ${schema}.entries (
      call bytea not null references ${schema}.calls on delete cascade,
      seq integer not null,
      body bytea not null,
      primary key (call, seq)
    );
    create table ${schema}.events (
      call bytea not null references ${schema}.calls on delete cascade,
      seq integer not null,
      body bytea not null,
      primary key (call, seq)
    );
    -- What waits to be taken by who holds a call, by digests of what its sender called it and said.
    create table ${schema}.inbox (
      call bytea not null references ${schema}.calls on delete cascade,
      message bytea not null,
      digest bytea not null,
      seq bigint generated always as identity,
      body bytea not null,
      primary key (call, message)
    );
    -- What is sealed cannot be compressed.
    alter table ${schema}.calls alter column head set storage external, alter column notes set storage external;
    alter table ${schema}.entries alter column body set storage external;
    alter table ${schema}.events alter column body set storage external;
    alter table ${schema}.inbox alter column body set storage external;
    -- For people.
    create view ${schema}.overview as
      select encode(id, 'hex') as call, encode(principal, 'hex') as principal,
        case when ended is not null then 'ended' when owner is not null then 'held' else 'waiting' end as state,
        to_timestamp(begun / 1000.0) as begun, to_timestamp(touched / 1000.0) as touched,
        to_timestamp(due / 1000.0) as due, to_timestamp(ended / 1000.0) as ended,
        lines, inbox, size + event_size + inbox_size as bytes, owner, fence
      from ${schema}.calls;
    `,
  ];
}
