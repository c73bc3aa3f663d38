import { describe, expect, it } from 'vitest';
import { configurableClients } from '../../../../src/vscode/mcp/client-configs.ts';

const endpoint = { url: 'http://127.0.0.1:4321/mcp', token: 's3cret' };

describe('what is copied for a client', () => {
  it.each(configurableClients.map((client) => [client.label, client.text(endpoint)] as const))(
    'has address and token for %s',
    (_, text) => {
      expect(text).toContain(endpoint.url);
      expect(text).toContain('Bearer s3cret');
    },
  );

  it('is a command for Claude Code, and JSON for all others', () => {
    const [first, ...rest] = configurableClients.map((client) => client.text(endpoint));
    expect(first).toBe(
      'claude mcp add --transport http parley http://127.0.0.1:4321/mcp --header "Authorization: Bearer s3cret"',
    );
    for (const text of rest) {
      const [servers] = Object.values(JSON.parse(text) as Record<string, Record<string, unknown>>);
      expect(servers?.parley).toMatchObject({ headers: { Authorization: 'Bearer s3cret' } });
    }
  });
});
