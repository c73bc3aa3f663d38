import { expect, it } from 'vitest';
import { toldHeight } from '#webview/mcp-app/told-height.ts';

it('a question in a conversation is no higher than what one sees of it; what came of it is as high as it is', () => {
  const host = { containerDimensions: { maxHeight: 712 } };
  expect(toldHeight(1400.2, true, host)).toBe(475);
  expect(toldHeight(200.2, true, host)).toBe(201);
  expect(toldHeight(1400.2, false, host)).toBe(1401);
  expect(toldHeight(1400, true, {})).toBe(1400);
});
