import { createHash } from 'node:crypto';
import { type Operation, sleep, until, useAbortSignal } from 'effection';
import * as z from 'zod';
import type { Issue, Wish } from './plan.ts';

/** What came of a request: its answer, how many seconds to wait before it is made again, or why it cannot be. */
export type Said<T> = { readonly done: T } | { readonly wait: number } | { readonly failed: string };

const issueSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  created_at: z.string(),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  pull_request: z.unknown().optional(),
});
const labelsSchema = z.array(z.object({ name: z.string() }));
const commentSchema = z.object({ id: z.int(), body: z.string().nullish() });

/** More of what somebody wrote is not read, characters. */
const LONGEST_BODY = 600;
const PER_PAGE = 100;
/** GitHub's own limits end within an hour. */
const LONGEST_WAIT = 3600;

/** One page of what is open; `more` where another follows. */
export function* issuesOn(
  page: number,
  repository: string,
  kind: 'issues' | 'pulls' | 'both',
): Operation<Said<{ issues: Issue[]; more: boolean }>> {
  const path = `/repos/${repository}/issues?state=open&per_page=${PER_PAGE}&page=${page}`;
  return yield* ask('GET', path, undefined, (body, more) => ({
    issues: z
      .array(issueSchema)
      .parse(body)
      .filter((one) => kind === 'both' || (one.pull_request !== undefined) === (kind === 'pulls'))
      .map((one) => ({
        number: one.number,
        title: one.title,
        body: (one.body ?? '').slice(0, LONGEST_BODY),
        url: one.html_url,
        author: one.user?.login ?? 'ghost',
        day: one.created_at.slice(0, 10),
        labels: one.labels.map((label) => (typeof label === 'string' ? label : label.name)),
      })),
    more,
  }));
}

/** One page of the labels of a repository. */
export function* labelsOn(
  page: number,
  repository: string,
): Operation<Said<{ labels: string[]; more: boolean }>> {
  const path = `/repos/${repository}/labels?per_page=${PER_PAGE}&page=${page}`;
  return yield* ask('GET', path, undefined, (body, more) => ({
    labels: labelsSchema.parse(body).map(({ name }) => name),
    more,
  }));
}

/** What a wish comes to: each part is a request of its own, with what takes it back. */
export interface Effect {
  readonly name: string;
  /** `again` where it may have been made before: then it looks first. */
  run(again: boolean): Operation<Said<number | null>>;
  /** Given what it gave. */
  undo(made: number | null): Operation<void>;
}

/** The requests of one wish, in the order in which they are made. */
export function effectsOf(repository: string, issue: Issue, wish: Wish, key: string): Effect[] {
  const at = `/repos/${repository}/issues/${issue.number}`;
  const added = wish.labels.filter((label) => !issue.labels.includes(label));
  const mark = `<!-- triage ${createHash('sha256').update(`${key} ${issue.number}`).digest('hex').slice(0, 16)} -->`;
  const effects: Effect[] = [];
  if (added.length > 0) {
    effects.push({
      name: `label #${issue.number}`,
      run: () => ask('POST', `${at}/labels`, { labels: added }),
      *undo() {
        for (const label of added) yield* surely('DELETE', `${at}/labels/${encodeURIComponent(label)}`);
      },
    });
  }
  if (wish.reply !== '') {
    effects.push({
      name: `reply to #${issue.number}`,
      *run(again) {
        if (again) {
          const before = yield* commentWith(mark, at);
          if (!('done' in before) || before.done !== null) return before;
        }
        const body = `${wish.reply}\n\n${mark}`;
        return yield* ask('POST', `${at}/comments`, { body }, (said) => commentSchema.parse(said).id);
      },
      undo: (id) => surely('DELETE', `/repos/${repository}/issues/comments/${id}`),
    });
  }
  if (wish.close) {
    effects.push({
      name: `close #${issue.number}`,
      run: () => ask('PATCH', at, { state: 'closed' }),
      undo: () => surely('PATCH', at, { state: 'open' }),
    });
  }
  return effects;
}

/** The comment that has a mark: GitHub lists the oldest first, so all are looked through. */
function* commentWith(mark: string, at: string): Operation<Said<number | null>> {
  for (let page = 1; ; page++) {
    const path = `${at}/comments?per_page=${PER_PAGE}&page=${page}`;
    const said = yield* ask('GET', path, undefined, (body, more) => ({
      found: z
        .array(commentSchema)
        .parse(body)
        .find((one) => one.body?.includes(mark))?.id,
      more,
    }));
    if (!('done' in said)) return said;
    if (said.done.found !== undefined || !said.done.more) return { done: said.done.found ?? null };
  }
}

/** Makes a request until GitHub takes it; what is gone already is well, too. */
function* surely(method: string, path: string, body?: object): Operation<void> {
  for (;;) {
    const said = yield* ask(method, path, body);
    if ('done' in said) return;
    if ('failed' in said) {
      if (said.failed.startsWith('404')) return;
      throw new Error(said.failed);
    }
    yield* sleep(said.wait * 1000);
  }
}

/** One request. The token comes from the environment, and goes nowhere but into its header. */
function ask(method: string, path: string, body?: object): Operation<Said<null>>;
function ask<T>(
  method: string,
  path: string,
  body: object | undefined,
  read: (body: unknown, more: boolean) => T,
): Operation<Said<T>>;
function* ask(
  method: string,
  path: string,
  body?: object,
  read: (body: unknown, more: boolean) => unknown = () => null,
): Operation<Said<unknown>> {
  const token = process.env.GITHUB_TOKEN ?? process.env.GH_TOKEN;
  if (!token) throw new Error('Set GITHUB_TOKEN to a token that may write issues.');
  const signal = yield* useAbortSignal();
  let response: Response;
  let text: string;
  try {
    response = yield* until(
      fetch(`${process.env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
        method,
        signal,
        headers: {
          Accept: 'application/vnd.github+json',
          Authorization: `Bearer ${token}`,
          'User-Agent': 'parley-triage',
          'X-GitHub-Api-Version': '2022-11-28',
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    text = yield* until(response.text());
  } catch (error) {
    return { failed: `GitHub cannot be reached: ${error instanceof Error ? error.message : error}` };
  }
  if (response.ok) {
    const more = /rel="next"/.test(response.headers.get('link') ?? '');
    return { done: read(text === '' ? null : JSON.parse(text), more) };
  }
  const wait = waitOf(response);
  return wait === undefined ? { failed: `${response.status}: ${messageOf(text)}` } : { wait };
}

/** How long GitHub asks to wait, in seconds; nothing where it refuses for another reason. */
function waitOf({ status, headers }: Response): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = headers.get('retry-after');
  if (after !== null) return clamped(Number(after));
  if (headers.get('x-ratelimit-remaining') === '0')
    return clamped(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000);
  return status === 429 ? 60 : undefined;
}

function clamped(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT) : 60;
}

function messageOf(text: string): string {
  try {
    return z.object({ message: z.string() }).parse(JSON.parse(text)).message.slice(0, 300);
  } catch {
    return 'GitHub gave no reason.';
  }
}
