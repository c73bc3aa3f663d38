import { expect, it } from 'vitest';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';

it('reads a stack in little time, whatever a tool has written into its error', () => {
  const maps = createStackMaps();
  const stack = `Error: no\n    at ${'file:'.repeat(20_000)}\n    at run (file:///a/tool.ts:3:7)`;
  const began = process.cpuUsage();
  expect(maps.placeOf(stack)).toBeUndefined();
  expect(maps.frames(stack).at(-1)).toEqual({ text: 'at run (file:///a/tool.ts:3:7)' });
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
});
