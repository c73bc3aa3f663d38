import { describe, expect, it } from 'vitest';
import { configurableClients } from '#src/vscode/agents/mcp/client-configs.ts';

const endpoint = { url: 'http://127.0.0.1:4321/mcp', token: 's3cret' };

describe('what is copied for a client', () => {
  it.each(configurableClients.map((client) => [client.label, client.text(endpoint)] as const))(
    'has address and token for %s',
    (_, text) => {
      expect(text).toContain(endpoint.url);
      expect(text).toContain('Bearer s3cret');
    },
  );

  it('is for a file, never a command: a shell would keep the token in its history', () => {
    for (const { id, text } of configurableClients.filter(({ id }) => id !== 'codex')) {
      const [servers] = Object.values(JSON.parse(text(endpoint)) as Record<string, Record<string, unknown>>);
      expect(servers?.parley, id).toMatchObject({ headers: { Authorization: 'Bearer s3cret' } });
    }
  });

  it('is TOML for Codex, with the headers under the name that it reads', () => {
    const codex = configurableClients.find(({ id }) => id === 'codex');
    expect(codex?.text(endpoint)).toBe(
      [
        '[mcp_servers.parley]',
        'url = "http://127.0.0.1:4321/mcp"',
        'http_headers = { Authorization = "Bearer s3cret" }',
        '',
      ].join('\n'),
    );
  });
});
