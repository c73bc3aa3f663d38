import { CLAIM_TTL, MOST_MESSAGES } from '../../runtime/journal/call-store.ts';
import { channelOf, type Statement } from './database.ts';

/** A blip in a network is not a death: so long after its last sign of life who is not seen any more is dead, milliseconds. */
const BLIP = 2_000;
/** After a start of the database all connections are new: so long nobody is dead. */
const RETURN = '5 seconds';

/** Every statement of a store. Where a time is `null`, it is now, by the clock of the database: those of servers differ. */
export type Statements = ReturnType<typeof statementsFor>;

/** The statements for the tables of one schema, which is quoted. */
export function statementsFor(schema: string) {
  const [calls, entries, events, inbox] = ['calls', 'entries', 'events', 'inbox'].map(
    (table) => `${schema}.${table}`,
  );
  const now = (parameter: string) =>
    `coalesce(${parameter}::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;
  /** Whether nobody holds a call: its holder gave it back, has lapsed, or is gone. */
  const isFree = (time: string, space: string) => `(c.owner is null
    or c.touched + ${CLAIM_TTL} <= ${now(time)}
    or (c.touched + ${BLIP} <= ${now(time)}
      and pg_postmaster_start_time() < clock_timestamp() - interval '${RETURN}'
      and pg_try_advisory_xact_lock(${space}::integer, c.owner)))`;
  const facts = `c.key, c.salt, c.fence::float8 as fence, c.due::float8 as due, c.ended is not null as ended,
    c.lines, c.entries, c.notes, c.size::float8 as size, c.events`;
  const channel = `'${channelOf(schema).slice(1, -1)}'`;
  const taken = `from ${inbox} where call = $1 and message = any ($10::bytea[])`;
  /** A call without its lines. */
  const summary = `c.id, c.key, c.salt, c.lines, c.entries, c.due::float8 as due, c.ended is not null as ended, c.head, c.notes,
    c.size::float8 as size, c.inbox, c.touched::float8 as touched`;
  /** A call in one row: each entry behind its number and length, in their order. */
  const whole = `${summary}, (select string_agg(int4send(e.seq) || int4send(length(e.body)) || e.body, '' order by e.seq)
      from ${entries} e where e.call = c.id) as bodies`;
  const isHeld = (time: string, space: string) => `not ${isFree(time, space)} as held`;
  const holds = 'c.id = $1 and c.fence = $2 and c.owner is not null';
  const waits = (time: string, space: string) => `c.ended is null and ${isFree(time, space)}`;
  const found = (why: string) => `select c.id, c.key, c.salt, ${why} as why, c.head from ${calls} c`;

  return named({
    begin: `with made as (
        insert into ${calls} as c (id, principal, conversation, key, salt, fence, owner, begun, touched, due, ended,
          lines, entries, head, notes, size)
        values ($1, $2, $3, $4, $5, nextval('${schema}.fences'), $6, ${now('$7')}, ${now('$7')}, $8,
          case when $9 then ${now('$7')} end, $10, 1, $11, $12, $14)
        on conflict (id) do nothing
        returning id, fence
      ), first as (
        insert into ${entries} (call, seq, body) select id, 0, $13::bytea from made where $13 is not null
      )
      select fence::float8 as fence from made
      union all select c.fence::float8 from ${calls} c where c.id = $1 and c.salt = $5`,
    facts: `select ${facts} from ${calls} c where ${holds}`,
    append: `with held as (
        update ${calls} as c set touched = ${now('$4')}, due = $5, lines = $6, entries = c.entries + 1,
          ended = case when $7 then coalesce(c.ended, ${now('$4')}) end, notes = $11, size = $12,
          owner = case when $9 then null else c.owner end, inbox = c.inbox - (select count(*) ${taken}),
          inbox_size = c.inbox_size - (select coalesce(sum(length(body)), 0) ${taken})
        where ${holds} and c.entries = $3
        returning id
      ), added as (
        insert into ${entries} (call, seq, body) select id, $3, $8::bytea from held where $8 is not null
      ), gone as (
        delete ${taken} and exists (select from held)
      )
      select from held
      union all
      select from ${calls} c where c.id = $1 and c.fence = $2 and $9 and c.owner is null and c.entries = $3 + 1`,
    appendEvents: `with held as (
        update ${calls} as c set events = c.events + 1,
          event_size = case when $4 then 0 else c.event_size end + length($5::bytea)
        where ${holds} and c.events = $3
          and case when $4 then 0 else c.event_size end + length($5::bytea) <= $6
        returning id
      ), gone as (
        delete from ${events} using held where call = held.id and $4 and seq < $3
      )
      insert into ${events} (call, seq, body) select id, $3, $5::bytea from held returning seq`,
    claim: `with c as (
        update ${calls} as c set fence = nextval('${schema}.fences'), owner = $2, touched = ${now('$3')}
        where c.id = $1 and ($5 or ${isFree('$3', '$4')})
        returning c.*
      )
      select ${whole}, c.fence::float8 as fence, c.events from c`,
    holding: `select c.fence::float8 as fence from ${calls} c where c.id = $1 and c.owner = $2`,
    isThere: `select from ${calls} where id = $1`,
    renew: `update ${calls} as c set touched = ${now('$3')} where ${holds} returning id`,
    release: `update ${calls} as c set owner = null, touched = ${now('$3')} where ${holds}`,
    read: `select ${whole}, ${isHeld('$2', '$3')} from ${calls} c where c.id = $1`,
    readEvents: `select c.id, c.key, c.salt, e.seq, e.body from ${calls} c
      join ${events} e on e.call = c.id where c.id = $1 order by e.seq`,
    list: `with c as (
        select c.* from ${calls} c
        where ($3::bytea is null or c.principal = $3) and ($4::bytea is null or c.conversation = $4)
          and ($5::boolean is null or (c.ended is not null) = $5) and ($6::bigint is null or c.touched < $6)
        order by c.touched desc limit $7
      )
      select ${summary}, ${isHeld('$1', '$2')} from c order by c.touched desc, c.id`,
    due: `(${found("'timer'")} where c.due <= ${now('$1')} and ${waits('$1', '$2')} order by c.due limit $3)
      union all
      (${found("'orphan'")} where c.owner is not null and ${waits('$1', '$2')} limit $3)
      union all
      (${found("'message'")} where c.inbox > 0 and c.owner is null and c.ended is null limit $3)`,
    leave: `with held as (
        update ${calls} as c set inbox = c.inbox + 1, inbox_size = c.inbox_size + length($4::bytea)
        where c.id = $1 and c.ended is null and c.inbox < ${MOST_MESSAGES} and c.inbox_size + length($4::bytea) <= $5
          and not exists (select from ${inbox} where call = $1 and message = $2)
        returning id
      ), added as (
        insert into ${inbox} (call, message, digest, body) select id, $2, $3, $4::bytea from held
      )
      select (select pg_notify(${channel}, encode(id, 'hex')) is not null from held) as left,
        c.ended is not null as ended, (select digest from ${inbox} where call = $1 and message = $2) as digest
      from ${calls} c where c.id = $1`,
    seal: `select c.key, c.salt from ${calls} c where c.id = $1`,
    take: `select c.key, c.salt, m.message, m.body from ${calls} c
      left join ${inbox} m on m.call = c.id where ${holds} order by m.seq`,
    // A database that only reads refuses to draw a number.
    check: `select nextval('${schema}.fences')`,
    forget: `delete from ${calls} where id = $1 returning id`,
    tell: `select pg_notify(${channel}, $1)`,
    takeBack: `delete from ${calls} where id = $1 and salt = $2`,
    count: `select principal, count(*)::float8 as calls, sum(size + event_size + inbox_size)::float8 as bytes
      from ${calls} group by principal`,
    giveWay: `delete from ${calls} where id = (
        select c.id from ${calls} c
        where (c.ended is not null or $4) and ($1::bytea is null or c.principal = $1) and ${isFree('$2', '$3')}
        order by c.ended nulls last, c.touched limit 1 for update skip locked
      ) returning principal, (size + event_size + inbox_size)::float8 as bytes`,
    sweep: `delete from ${calls} as c where c.touched + $3 <= ${now('$1')} and ${isFree('$1', '$2')}`,
  });
}

function named<const T extends Readonly<Record<string, string>>>(
  texts: T,
): { readonly [N in keyof T]: Statement } {
  const all = Object.entries(texts).map(([name, text]) => [name, { name: `parley_${name}`, text }]);
  return Object.fromEntries(all);
}
