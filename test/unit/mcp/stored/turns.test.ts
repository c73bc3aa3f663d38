import { expect, test } from 'vitest';
import { Turns } from '#src/mcp/stored/turns.ts';

const callsOf = (principal: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ principal, conversation: '', callId: `${principal}${at}` }));

function begin(turns: Turns): readonly string[] {
  const begun: string[] = [];
  for (let turn = turns.next(); turn; turn = turns.next()) begun.push(turn.name.callId);
  return begun;
}

test('principals take turns, and who has nothing left holds up nobody', () => {
  const turns = new Turns();
  turns.offer([...callsOf('a', 3), ...callsOf('b', 1), ...callsOf('c', 2)]);
  expect(begin(turns)).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2']);
});

test('whose turn was last comes last, also of what is offered next', () => {
  const turns = new Turns();
  const all = [...callsOf('a', 2), ...callsOf('b', 2)];
  turns.offer(all);
  expect(turns.next()?.name.callId).toBe('a0');
  turns.offer(all);
  expect(begin(turns)).toEqual(['b0', 'a1', 'b1']);
});
