import { expect, it } from 'vitest';
import { parseRunCommand } from '#src/vscode/agents/participant/commands/run-command.ts';

it.each([
  ['', { tool: '' }],
  ['#book_flight', { tool: 'book_flight' }],
  ['book_flight {"from":"AMS"}', { tool: 'book_flight', params: { from: 'AMS' } }],
  ['book_flight{"from":"AMS"}', { tool: 'book_flight', params: { from: 'AMS' } }],
  ['book_flight to Lisbon/Porto', { tool: 'book_flight', wish: 'to Lisbon/Porto' }],
  ['book_flight, please', { tool: 'book_flight', wish: ', please' }],
  ['book_flight.', { tool: 'book_flight', wish: '.' }],
  ['github/create_issue {"title":"x"}', { tool: 'github/create_issue', params: { title: 'x' } }],
  ['io.github/create.issue about it', { tool: 'io.github/create.issue', wish: 'about it' }],
])('“/run %s” is read', (prompt, command) => {
  expect(parseRunCommand(prompt)).toEqual(command);
});
