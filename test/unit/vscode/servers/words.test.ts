import { run } from 'effection';
import { expect, it } from 'vitest';
import { createWords } from '#src/vscode/servers/policy/words.ts';
import { createDisk } from '../mcp/window-kit.ts';

const word = { hash: 'h', fingerprint: 'f', said: 's' };

it('“always” is there in the next window, “until the window is closed” is not', () =>
  run(function* () {
    const { state } = createDisk();
    const words = createWords(state);
    yield* words.keep('a', word, 'window');
    yield* words.keep('b', word, 'always');
    expect([words.about('a'), words.about('b')]).toEqual([word, word]);
    const next = createWords(state);
    expect([next.about('a'), next.about('b')]).toEqual([undefined, word]);
  }));

it('keeps no more than it can look through', () =>
  run(function* () {
    const { state } = createDisk();
    const words = createWords(state);
    for (let index = 0; index < 510; index++) yield* words.keep(`tool ${index}`, word, 'always');
    const next = createWords(state);
    expect([next.about('tool 0'), next.about('tool 509')]).toEqual([undefined, word]);
  }));
