import { expect, test } from 'vitest';
import { tellProblems } from '#src/cli/serving/tell-problems.ts';

function teller(all: boolean) {
  const told: string[] = [];
  return { told, tell: tellProblems(all, (message) => told.push(message)) };
}

test('what is wrong with a request is for who looks for it', () => {
  const quiet = teller(false);
  quiet.tell('a request was refused', new Error('no'));
  expect(quiet.told).toEqual([]);
  const debugging = teller(true);
  debugging.tell('a request was refused', new Error('no'));
  expect(debugging.told).toEqual(['a request was refused']);
});

test('that calls are not kept is always said, once for each cause', () => {
  const { told, tell } = teller(false);
  tell('a call could not be saved', new Error('the disk is full'), 'state');
  tell('a call could not be saved', new Error('the disk is full'), 'state');
  tell('calls that are due could not be looked for', new Error('the disk is full'), 'state');
  tell('a call could not be saved', new Error('the folder is gone'), 'state');
  tell('a call stays in memory', undefined, 'state');
  tell('a call stays in memory', undefined, 'state');
  expect(told).toEqual(['a call could not be saved', 'a call could not be saved', 'a call stays in memory']);
});

test('a store that fails with other words each time does not fill the terminal', () => {
  const { told, tell } = teller(false);
  for (let n = 0; n < 2_000; n++) tell('a call could not be saved', new Error(`failure ${n}`), 'state');
  expect(told).toHaveLength(1_000);
});
