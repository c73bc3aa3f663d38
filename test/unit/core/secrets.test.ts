import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { namesSecret } from '#src/core/messages/secrets/secret-names.ts';
import { holdsSecret, isSecretFile, secretLines } from '#src/core/messages/secrets/secrets.ts';

describe('names of secrets', () => {
  it.each([
    'password',
    'dbPassword',
    'PASSWD',
    'api_key',
    'apiKey',
    'NPM_TOKEN',
    'token',
    'accessToken',
    'client_secret',
  ])('%s is one', (name) => expect(namesSecret(name)).toBe(true));
  it.each(['user', 'maxTokens', 'tokenizer', 'passenger', 'title', 'compass_heading'])('%s is none', (name) =>
    expect(namesSecret(name)).toBe(false),
  );
});

describe('files of secrets', () => {
  it.each([
    '.env',
    'app/.env.local',
    '.env.production',
    'C:\\app\\.ENV',
    'server.key',
    'ca.CRT',
    '.ssh/id_ed25519',
    'release.p12',
    '.npmrc',
    'secrets.yaml',
    'credentials',
    'service-account-prod.json',
  ])('%s is one', (path) => expect(isSecretFile(path)).toBe(true));
  it.each([
    '.env.example',
    '.env.local.sample',
    'src/environment.ts',
    'id_rsa.pub',
    'keys.ts',
    'README.md',
    'secrets.test.ts',
  ])('%s is none', (path) => expect(isSecretFile(path)).toBe(false));
});

describe('lines that hold a secret', () => {
  it.each([
    'API_KEY=abc123def456',
    'export NPM_TOKEN=npm_0123456789abcdef',
    'const apiKey = "hunter2-hunter2";',
    "secret: 'p4ssw0rd'",
    'Authorization: "Bearer-0123456789"',
    '-----BEGIN RSA PRIVATE KEY-----',
    'curl -H x ghp_0123456789abcdef0123',
    'DATABASE_URL=postgres://ada:lovelace@db/shop',
    'aws AKIAIOSFODNN7EXAMPLE',
  ])('%s', (line) => expect(holdsSecret(line)).toBe(true));
  it.each([
    'const token = process.env.NPM_TOKEN;',
    'password: string;',
    'token = getToken();',
    'api_key: $API_KEY',
    'title: "Password"',
    'password: "Password"',
    'password: "<your password>"',
    'API_KEY=xxxxxxxxxxxx',
    'maxTokens: 123456789',
    'see https://example.com/a:b',
    'const key = "arrow-down-1";',
  ])('not: %s', (line) => expect(holdsSecret(line)).toBe(false));

  test('are counted from 1', () => {
    expect(secretLines('a\nAPI_KEY=abc123def456\nb')).toEqual([2]);
  });

  test('no line is looked at in every way, and none behind 2,000 characters', () => {
    const secret = ' API_KEY=abc123def456';
    const parts = fc.array(fc.constantFrom('a', 'token', '=', ':', '"', ' ', 'eyJ', '//', '-', '1'), {
      maxLength: 2000,
    });
    fc.assert(
      fc.property(parts, (some) => {
        const text = some.join('').padEnd(2000, 'a').slice(0, 2000);
        expect(holdsSecret(text + secret)).toBe(holdsSecret(text));
      }),
    );
  });
});
