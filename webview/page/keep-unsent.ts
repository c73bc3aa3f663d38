import type { JsonObject, JsonValue } from '../../src/core/messages/json.ts';
import { maskOf, textsOfSecrets } from '../../src/core/messages/secrets/mask-secrets.ts';
import { isAnsweredState, isJsonObject, type Question, type Snapshot } from '../../src/panel-port/index.ts';
import { isBlank, type Raw } from '../form/field/field.ts';
import type { Drafts } from './drafts.ts';
import type { PageState } from './page-state.ts';
import type { Unsent } from './unsent.ts';

/** So many are kept: what came before is of a time that nobody thinks of. */
const MOST = 20;
/** Characters of what was sent up to which it is kept, for the case that the person goes back. */
const SMALL = 20_000;

/**
 * The unsent ones once a snapshot has come, and `scope` is the one of which there are drafts from now on. What was put into a question that
 * is gone joins them; what was put into one that is shown again is in it again.
 */
export function unsentWith(
  state: PageState,
  next: Snapshot,
  drafts: Drafts,
  scope: string,
): readonly Unsent[] {
  const { callId } = next.head.call;
  const { stage } = next.head;
  const asked = stage.kind === 'question' ? stage.question : undefined;
  const isOver = next.head.call.endedAt !== undefined || ENDS.has(stage.kind);
  let all = state.unsent.filter((one) => one.callId === callId && !(isOver && one.how === 'sent'));
  for (const other of drafts.scopes()) {
    const id = /^question (.*)$/s.exec(other)?.[1];
    if (id === undefined || id === asked?.id) continue;
    const left = leftIn(state, next, id);
    const kept = drafts.all(other);
    if (!left || !holdsAnything(kept) || (left.how === 'sent' && (isOver || !mayStay(kept)))) continue;
    all = [...all.filter((one) => one.id !== id || one.how !== 'sent'), { ...left, callId, drafts: kept }];
  }
  drafts.keepOnly(scope);
  if (!asked || drafts.scopes().includes(scopeOfQuestion(asked.id))) return settled(all, state.unsent);
  const again =
    all.find((one) => one.id === asked.id) ?? all.findLast((one) => isAskedAgain(next, asked, one));
  if (!again) return settled(all, state.unsent);
  putInto(drafts, asked, again);
  return all.filter((one) => one !== again);
}

const ENDS: ReadonlySet<string> = new Set(['result', 'error', 'aborted']);

/** Whether a question is one that the person went back to, or came forward to again: the same in the same place. */
function isAskedAgain(snapshot: Snapshot, asked: Question, one: Unsent): boolean {
  const isBack =
    one.how === 'back' || (one.how === 'sent' && rowOf(snapshot, one.id)?.state === 'taken_back');
  const isSame = one.number === asked.number && one.message === asked.message;
  return isBack && isSame && isDeepEqual(schemaOf(snapshot, asked.id, asked), one.schema);
}

/** Whether the person has to hear of it: not of what was sent, nor of a question that may still come again. */
export function isToTell({ head, rows }: Snapshot, { how, id, number }: Unsent): boolean {
  if (how !== 'back') return how !== 'sent';
  const left = rows.findIndex((row) => row.type === 'question' && row.id === id);
  return (
    ENDS.has(head.stage.kind) ||
    rows.slice(left + 1).some((row) => row.type === 'question' && row.number >= number)
  );
}

/** What is a secret, or long, is forgotten as soon as it was sent. */
function mayStay(kept: JsonObject): boolean {
  return JSON.stringify(kept).length <= SMALL && isDeepEqual(maskOf(textsOfSecrets(kept))(kept), kept);
}

/**
 * The state where a question that went away was answered in another place, and nothing had been put into it here: whoever did that was
 * there, and takes the next one for no other.
 */
export function unlessAnswered(
  before: PageState,
  next: PageState,
  snapshot: Snapshot,
  unsent: readonly Unsent[],
): PageState {
  const { overtaken, ...rest } = next;
  const stage = before.snapshot?.head.stage;
  const gone = stage?.kind === 'question' ? stage.question.id : undefined;
  if (!overtaken || gone === undefined || unsent.some(({ id }) => id === gone)) return next;
  const isGone = snapshot.head.stage.kind !== 'question' || snapshot.head.stage.question.id !== gone;
  return isGone && isAnswered(snapshot, gone) ? rest : next;
}

/** Does a question have the form for what was put into another one? */
export function hasFormOf(asked: Question, one: Unsent): boolean {
  const { body } = asked;
  return body.kind === 'form' && isDeepEqual(body.schema, one.schema);
}

function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Puts what was unsent into a question, beside what is in it already. */
export function putInto(drafts: Drafts, asked: Question, one: Unsent): void {
  const scope = scopeOfQuestion(asked.id);
  for (const [key, value] of Object.entries(one.drafts)) {
    const there = drafts.read(scope, key);
    if (value !== undefined) drafts.write(scope, key, there === undefined ? value : together(value, there));
  }
}

/** What was put in of late counts. */
function together(before: JsonValue, now: JsonValue): JsonValue {
  if (!isJsonObject(before) || !isJsonObject(now)) return now;
  const { raw } = before;
  return isJsonObject(raw) && isJsonObject(now.raw) ? { ...now, raw: { ...raw, ...now.raw } } : now;
}

/** What the drafts of a question are kept under: the same through all its attempts. */
export function scopeOfQuestion(id: string): string {
  return `question ${id}`;
}

/** A question that is not shown any more, and how it was left; `undefined` for one of which nothing is known. */
function leftIn(state: PageState, next: Snapshot, id: string): Omit<Unsent, 'callId' | 'drafts'> | undefined {
  const before = state.snapshot?.head.stage;
  const shown = before?.kind === 'question' && before.question.id === id ? before.question : undefined;
  const row = rowOf(next, id);
  // A page that was not there knows of an answer alone that there is one.
  const isOurs = !shown || state.doneWith === id;
  if (isOurs && !row) return undefined;
  const of = shown ?? row;
  const how = !isOurs ? undefined : isAnswered(next, id) ? 'sent' : shown && 'back';
  return of && { id, number: of.number, message: of.message, schema: schemaOf(next, id, shown), how };
}

function schemaOf(snapshot: Snapshot, id: string, shown: Question | undefined): JsonObject | undefined {
  if (shown?.body.kind === 'form') return { ...shown.body.schema };
  const schema = rowOf(snapshot, id)?.schema;
  return schema && { ...schema };
}

function isAnswered(snapshot: Snapshot, id: string): boolean {
  const { state = '' } = rowOf(snapshot, id) ?? {};
  return isAnsweredState(state);
}

function rowOf({ rows }: Snapshot, id: string) {
  const row = rows.findLast((one) => one.type === 'question' && one.id === id);
  return row?.type === 'question' ? row : undefined;
}

/** Is there anything in these drafts that was put in, and not only that fields were left? */
function holdsAnything({ form, ...views }: JsonObject): boolean {
  const raw = isJsonObject(form) ? form.raw : undefined;
  return !isBlank(raw as Raw) || Object.values(views).some((value) => value !== null && value !== '');
}

/** The same list where nothing is new. */
function settled(all: readonly Unsent[], before: readonly Unsent[]): readonly Unsent[] {
  const isSame = all.length === before.length && all.every((one, at) => one === before[at]);
  return isSame ? before : all.slice(-MOST);
}
