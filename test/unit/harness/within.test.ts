import { describe, expect, it } from 'vitest';
import { within } from '#test/harness/within.ts';

describe('what is waited for', () => {
  it('is there in time, or fails as it does', async () => {
    expect(await within(60_000, 'answer', Promise.resolve(3))).toBe(3);
    await expect(within(60_000, 'answer', Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('and does not come is named, with what can be seen meanwhile', async () => {
    const never = new Promise<never>(() => {});
    await expect(within(1, 'answer', never, () => 'tabs: none')).rejects.toThrow(
      'Within 0.001 s there was no answer.\ntabs: none',
    );
  });
});
