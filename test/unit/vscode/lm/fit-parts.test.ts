import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import { fitParts, type PartBudget } from '#src/vscode/agents/lm/fit-parts.ts';
import type { LmPart } from '#src/vscode/calls/sampler/parts.ts';

const text = (value: string): LmPart => ({ type: 'text', text: value });
const image: LmPart = { type: 'data', bytes: new Uint8Array([1]), mimeType: 'image/png' };

/** A model whose tokens are four characters. */
function budget(tokens: number, count = (value: string) => Math.ceil(value.length / 4)): PartBudget {
  return {
    tokens,
    *count(value): Operation<number> {
      return count(value);
    },
  };
}

const textOf = (part: LmPart | undefined) => (part?.type === 'text' ? part.text : '');

describe('fitParts', () => {
  it('leaves a result alone when nobody gave a budget', async () => {
    const parts = [text('x'.repeat(100_000)), image];
    expect(await run(() => fitParts(parts))).toBe(parts);
  });

  it('leaves a result alone that fits exactly', async () => {
    const parts = [text('a'.repeat(400)), image, text('b'.repeat(400))];
    expect(await run(() => fitParts(parts, budget(200)))).toEqual(parts);
  });

  it('cuts what is too long, keeps the beginning, and says how much is missing', async () => {
    const [first, second, ...rest] = await run(() => fitParts([text('a'.repeat(4000)), image], budget(500)));
    expect(rest).toEqual([]);
    expect(second).toBe(image);
    const [kept = '', note = ''] = textOf(first).split('\n');
    expect(kept).toMatch(/^a{1000,}$/);
    expect(note).toContain(`${4000 - kept.length} of 4000 characters are left out`);
    expect(Math.ceil(textOf(first).length / 4)).toBeLessThanOrEqual(500);
  });

  it('only says what is missing when there is no room at all', async () => {
    const parts = await run(() => fitParts([text('a'.repeat(800)), text('b'.repeat(50))], budget(200)));
    expect(parts[0]).toEqual(text('a'.repeat(800)));
    expect(textOf(parts[1])).toMatch(/^\[Cut: 50 of 50 characters/);
  });

  it('counts by itself where the model cannot: the tool has run, and its result is not lost', async () => {
    const failing = budget(500, () => {
      throw new Error('no tokenizer');
    });
    const [first] = await run(() => fitParts([text('a'.repeat(9000))], failing));
    expect(textOf(first)).toMatch(/^a{1000,}\n\[Cut: /);
    expect(await run(() => fitParts([text('short')], failing))).toEqual([text('short')]);
  });

  it('leaves a result alone when the budget is no number', async () => {
    const parts = [text('x'.repeat(1000))];
    expect(await run(() => fitParts(parts, budget(Number.NaN)))).toBe(parts);
  });

  it('gives nothing that comes after a cut: the rest would seem to be whole', async () => {
    const parts = await run(() => fitParts([text('a'.repeat(4000)), text('b')], budget(500)));
    expect(parts.map(textOf)).toEqual([
      expect.stringContaining('a'),
      expect.stringMatching(/^\[Cut: 1 of 1 /),
    ]);
  });

  it('holds to the budget of a model that counts dense text in more tokens', async () => {
    const dense = (value: string) => [...value].reduce((sum, char) => sum + (char === 'é' ? 3 : 0.25), 0);
    const [part] = await run(() =>
      fitParts([text(`${'é'.repeat(300)}${'a'.repeat(4000)}`)], budget(400, dense)),
    );
    expect(dense(textOf(part))).toBeLessThanOrEqual(400);
  });

  it('never leaves half a character', async () => {
    const [part] = await run(() => fitParts([text('😀'.repeat(2000))], budget(333)));
    expect(textOf(part).isWellFormed()).toBe(true);
  });

  it('estimates for models that count 0 for everything', async () => {
    const [part] = await run(() =>
      fitParts(
        [text('a'.repeat(90_000))],
        budget(1000, () => 0),
      ),
    );
    expect(textOf(part).length).toBeLessThan(3100);
  });
});
