import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { triage } from '#examples/packs/triage/.parley/tools/triage/tool.ts';
import { GITHUB_TOKEN, REPOSITORY, startGitHub, type TestGitHub } from './kit/github.ts';

let github: TestGitHub;

beforeEach(async () => {
  github = await startGitHub(500);
  vi.stubEnv('GITHUB_API_URL', github.url);
  vi.stubEnv('GITHUB_TOKEN', GITHUB_TOKEN);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await github[Symbol.asyncDispose]();
});

const accept = (content: object) => ({ action: 'accept' as const, content });
const all = (request: { context?: object }) =>
  accept({
    rows: (Reflect.get(request.context ?? {}, 'issues') as { number: number }[]).map(
      ({ number }) => `#${number} +"good first issue" close reply "Thanks, ${number}!"`,
    ),
  });
const person = (...next: string[]) =>
  createMockMcpClient({
    capabilities: { elicitation: { form: true } },
    elicitResponses: { plan: all, sent: next.map((one) => accept({ next: one })) } as never,
  });
const params = { repository: REPOSITORY, kind: 'both' as const, limit: 500 };

test('500 rows are sent once each, past two limits and a row that is locked', async () => {
  github.broken.add(250);
  github.limits.set(0, { status: 429, headers: { 'Retry-After': '0' } });
  github.limits.set(700, { status: 403, headers: { 'Retry-After': '1' } });
  const client = person('retry', 'keep');
  const result = await runMcpTool(triage, params, client);
  expect(result).toMatchObject({
    status: 'sent',
    failed: [{ number: 250, why: '422: Validation Failed: it is locked' }],
  });
  const states = [...github.issues.values()].map(({ number, state, labels, comments }) => [
    number === 250,
    state,
    labels,
    comments.length,
  ]);
  expect(states.filter(([, state]) => state === 'open')).toEqual([[true, 'open', [], 0]]);
  expect(states.filter(([locked]) => !locked)).toEqual(
    Array.from({ length: 499 }, () => [false, 'closed', ['good first issue'], 1]),
  );
  expect(JSON.stringify([result, client.transcript])).not.toContain(GITHUB_TOKEN);
});

test('an undo takes all back', async () => {
  const spent = { status: 403, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '0' } };
  // While it sends, and while it undoes.
  for (const at of [10, 100]) github.limits.set(at, spent);
  expect(await runMcpTool(triage, { ...params, kind: 'pulls', limit: 20 }, person('undo'))).toMatchObject({
    status: 'undone',
  });
  const touched = [...github.issues.values()].filter(
    ({ state, labels, comments }) => state === 'closed' || labels.length > 0 || comments.length > 0,
  );
  expect(touched).toEqual([]);
  expect(new Set(github.requests.filter((line) => line.startsWith('PATCH'))).size).toBe(20);
});

test.each([
  ['a wrong token is named, and not shown', 'ghp_wrong', 'GitHub says 401: Bad credentials'],
  ['a missing token is named', '', 'Set GITHUB_TOKEN to a token that may write issues.'],
])('%s', async (_, token, message) => {
  vi.stubEnv('GITHUB_TOKEN', token);
  const failure = await runMcpTool(triage, params, person()).then(String, String);
  expect(failure).toContain(message);
  expect(failure).not.toContain('ghp_');
});
