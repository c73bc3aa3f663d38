import { expect, it } from 'vitest';
import { foreignLine } from '#src/mcp/client/calls/foreign-line.ts';

it.each([
  ['text', { message: 'text' }],
  [42, { message: '42' }],
  [null, { message: 'null' }],
  [['a', 1], { message: 'the server logged', data: ['a', 1] }],
  [{ x: 1 }, { message: 'the server logged', data: { x: 1 } }],
  [{ message: 'said' }, { message: 'said' }],
  [
    { message: 'said', x: 1 },
    { message: 'said', data: { x: 1 } },
  ],
  // As FastMCP has it.
  [{ msg: 'said', extra: null }, { message: 'said' }],
  [
    { msg: 'said', extra: { x: 1 } },
    { message: 'said', data: { extra: { x: 1 } } },
  ],
  [
    { message: 5, msg: 'said' },
    { message: 'said', data: { message: 5 } },
  ],
])('a line of a server’s log with %j reads %j', (data, line) => {
  expect(foreignLine('info', data)).toEqual({ level: 'info', ...line });
});
