// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { chime, onQuestion } from '#webview/page/chime.ts';
import { aForm, openPanel } from './panel.tsx';

afterEach(() => vi.unstubAllGlobals());

it('each question is told once, however often it is asked again, and nothing else is', async () => {
  const panel = await openPanel();
  const asked = vi.fn();
  onQuestion(panel.page, asked);
  await panel.show({ kind: 'running' });
  expect(asked).not.toHaveBeenCalled();
  await panel.show(aForm({}, [], { id: 'q1' }));
  await panel.show(aForm({}, [], { id: 'q1', attempt: 2 }));
  await panel.show({ kind: 'running' });
  await panel.show(aForm({}, [], { id: 'q2' }));
  expect(asked).toHaveBeenCalledTimes(2);
});

it('the sound is two notes, one after the other, and leaves nothing behind', () => {
  vi.useFakeTimers();
  const played: unknown[] = [];
  const close = vi.fn(async () => {});
  class Node {
    connect() {}
  }
  vi.stubGlobal(
    'AudioContext',
    class {
      destination = new Node();
      close = close;
    },
  );
  vi.stubGlobal('GainNode', Node);
  vi.stubGlobal(
    'OscillatorNode',
    class extends Node {
      options: { frequency: number };
      constructor(_audio: unknown, options: { frequency: number }) {
        super();
        this.options = options;
      }
      start(from: number) {
        played.push({ ...this.options, from });
      }
      stop() {}
    },
  );
  chime();
  expect(played).toEqual([
    { frequency: 660, from: 0 },
    { frequency: 880, from: 0.18 },
  ]);
  vi.runAllTimers();
  expect(close).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
