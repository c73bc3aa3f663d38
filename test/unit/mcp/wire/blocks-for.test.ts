import { describe, expect, it } from 'vitest';
import { resultFor } from '#src/mcp/wire/blocks-for.ts';

const link = (uri: string) => ({ type: 'resource_link', uri, name: 'page', title: 'A page' });
const result = { content: [{ type: 'text', text: 'see' }, link('https://a.example/x'), link('file:///a')] };

describe('links of a result', () => {
  it('into the web are text for a client that asks the server for every link', () => {
    for (const name of ['Visual Studio Code', 'Visual Studio Code - Insiders']) {
      expect(resultFor({ name }, result).content).toEqual([
        { type: 'text', text: 'see' },
        { type: 'text', text: 'A page: https://a.example/x' },
        link('file:///a'),
      ]);
    }
  });

  it('stay links for every other client, and results without content stay as they are', () => {
    for (const info of [{ name: 'Cursor' }, {}, undefined]) expect(resultFor(info, result)).toBe(result);
    const prompt = { messages: [] };
    expect(resultFor({ name: 'Visual Studio Code' }, prompt)).toBe(prompt);
  });
});

describe('pictures, sound and files of a result', () => {
  const media = {
    content: [
      { type: 'image', data: 'A'.repeat(4_000), mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'AAAA' } },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } },
    ],
  };

  it('are words for a client that hands its model their base64', () => {
    for (const name of ['@cline/core', 'continue-cli-client']) {
      expect(resultFor({ name }, media).content).toEqual([
        { type: 'text', text: '[Picture, image/png, 3 kB: this client does not show it]' },
        { type: 'text', text: '[Sound, audio/wav, 3 bytes: this client does not show it]' },
        { type: 'text', text: '[file:///a.pdf, application/pdf, 3 bytes: this client does not show it]' },
        media.content[3],
      ]);
    }
  });

  it('stay what they are for every other client', () => {
    expect(resultFor({ name: 'Cursor' }, media)).toBe(media);
    expect(resultFor({ name: 'Visual Studio Code' }, media)).toEqual(media);
  });
});
