import { describe, expect, it } from 'vitest';
import { textLinksFor } from '#src/mcp/wire/text-links.ts';

const link = (uri: string) => ({ type: 'resource_link', uri, name: 'page', title: 'A page' });
const result = { content: [{ type: 'text', text: 'see' }, link('https://a.example/x'), link('file:///a')] };

describe('links of a result', () => {
  it('into the web are text for a client that asks the server for every link', () => {
    for (const name of ['Visual Studio Code', 'Visual Studio Code - Insiders']) {
      expect(textLinksFor({ name }, result).content).toEqual([
        { type: 'text', text: 'see' },
        { type: 'text', text: 'A page: https://a.example/x' },
        link('file:///a'),
      ]);
    }
  });

  it('stay links for every other client, and results without content stay as they are', () => {
    for (const info of [{ name: 'Cursor' }, {}, undefined]) expect(textLinksFor(info, result)).toBe(result);
    const prompt = { messages: [] };
    expect(textLinksFor({ name: 'Visual Studio Code' }, prompt)).toBe(prompt);
  });
});
