import { expect, it } from 'vitest';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';

it('reads a stack once, whatever a tool has written into its error', () => {
  const maps = createStackMaps();
  // Who reads it once from each of its characters on takes minutes.
  const stack = `Error: no\n    at ${'file:'.repeat(60_000)}\n    at run (file:///a/tool.ts:3:7)`;
  expect(maps.placeOf(stack)).toBeUndefined();
  expect(maps.frames(stack).at(-1)).toEqual({ text: 'at run (file:///a/tool.ts:3:7)' });
});
