import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** GitHub as its REST API shows the issues of one repository, on this machine. */
export interface TestGitHub extends AsyncDisposable {
  readonly url: string;
  readonly issues: Map<number, TestIssue>;
  /** Each request, as `POST /issues/7/labels`. */
  readonly requests: string[];
  /** Numbers whose changes are refused. */
  readonly broken: Set<number>;
  /** Which requests are put off, and how: by how many came before. */
  readonly limits: Map<number, { readonly status: number; readonly headers: Record<string, string> }>;
}

/** One issue, or pull request. */
export interface TestIssue {
  readonly number: number;
  readonly title: string;
  readonly isPull: boolean;
  state: 'open' | 'closed';
  labels: string[];
  comments: { readonly id: number; readonly body: string }[];
}

/** The token that it lets in. */
export const GITHUB_TOKEN = 'ghp_only_for_this_test';
/** Its one repository. */
export const REPOSITORY = 'tea/pot';
const LABELS = ['bug', 'docs', 'good first issue', 'question'];

/** Starts one with so many open issues; every tenth is a pull request. */
export async function startGitHub(count: number): Promise<TestGitHub> {
  const issues = new Map<number, TestIssue>();
  for (let number = 1; number <= count; number++) {
    const isPull = number % 10 === 0;
    issues.set(number, {
      number,
      title: `Issue ${number} drips`,
      isPull,
      state: 'open',
      labels: [],
      comments: [],
    });
  }
  let ids = 1000;
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const sent = body.length > 0 ? JSON.parse(Buffer.concat(body).toString()) : {};
    const { pathname, searchParams } = new URL(request.url ?? '/', github.url);
    const say = (status: number, what?: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(what === undefined ? '' : JSON.stringify(what));
    const paged = (all: readonly unknown[]) => {
      const [page, size] = [
        Number(searchParams.get('page') ?? 1),
        Number(searchParams.get('per_page') ?? 30),
      ];
      const more = page * size < all.length;
      const link = { Link: `<${github.url}${pathname}?per_page=${size}&page=${page + 1}>; rel="next"` };
      say(200, all.slice((page - 1) * size, page * size), more ? link : {});
    };
    if (request.headers.authorization !== `Bearer ${GITHUB_TOKEN}`)
      return say(401, { message: 'Bad credentials' });
    const [, path = ''] = pathname.split(`/repos/${REPOSITORY}`);
    github.requests.push(`${request.method} ${path}`);
    const limit = github.limits.get(github.requests.length - 1);
    if (limit)
      return say(limit.status, { message: 'You have exceeded a secondary rate limit' }, limit.headers);
    if (path === '/labels') return paged(LABELS.map((name) => ({ name })));
    if (path === '/issues') {
      const open = [...issues.values()].filter(({ state }) => state === 'open').reverse();
      return paged(open.map((issue) => shown(issue, github.url)));
    }
    const [, on, part = '', name = ''] = /^\/issues\/(\d+)(?:\/(\w+)(?:\/(.+))?)?$/.exec(path) ?? [];
    const comment = /^\/issues\/comments\/(\d+)$/.exec(path)?.[1];
    if (comment !== undefined && request.method === 'DELETE') {
      for (const issue of issues.values())
        issue.comments = issue.comments.filter(({ id }) => id !== Number(comment));
      return say(204);
    }
    const issue = issues.get(Number(on));
    if (!issue) return say(404, { message: 'Not Found' });
    if (request.method === 'GET' && part === 'comments') return paged(issue.comments);
    if (github.broken.has(issue.number)) return say(422, { message: 'Validation Failed: it is locked' });
    if (request.method === 'POST' && part === 'labels') {
      issue.labels = [...new Set([...issue.labels, ...sent.labels])];
      return say(
        200,
        issue.labels.map((label) => ({ name: label })),
      );
    }
    if (request.method === 'DELETE' && part === 'labels') {
      issue.labels = issue.labels.filter((label) => label !== decodeURIComponent(name));
      return say(200, []);
    }
    if (request.method === 'POST' && part === 'comments') {
      const made = { id: ids++, body: sent.body };
      issue.comments.push(made);
      return say(201, made);
    }
    if (request.method === 'PATCH' && part === '') {
      issue.state = sent.state;
      return say(200, shown(issue, github.url));
    }
    return say(404, { message: 'Not Found' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const github: TestGitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issues,
    requests: [],
    broken: new Set(),
    limits: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return github;
}

function shown({ number, title, isPull, state, labels }: TestIssue, url: string) {
  return {
    number,
    title,
    state,
    body: `It drips since version ${number}.`,
    html_url: `${url}/${REPOSITORY}/issues/${number}`,
    created_at: '2030-05-01T10:00:00Z',
    user: { login: 'ada' },
    labels: labels.map((name) => ({ name })),
    ...(isPull && { pull_request: { url } }),
  };
}
