import type { Page } from './page.ts';

/** Calls back with each question that comes, once, however often it is asked again. */
export function onQuestion(page: Pick<Page, 'state' | 'subscribe'>, asked: () => void): () => void {
  const known = new Set<string>();
  return page.subscribe(() => {
    const stage = page.state().snapshot?.head.stage;
    if (stage?.kind !== 'question' || known.has(stage.question.id)) return;
    known.add(stage.question.id);
    asked();
  });
}

/** Hertz of the two notes, and for how long each is heard, in seconds. */
const NOTES = [660, 880] as const;
const LENGTH = 0.18;

/** How long the browser may take to begin, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Plays two soft notes. A browser lets a page do so once a person has clicked in it, or where its host allows it; else nothing
 * is heard.
 */
export function chime(): void {
  const audio = new AudioContext();
  const gain = new GainNode(audio, { gain: 0.06 });
  gain.connect(audio.destination);
  for (const [at, frequency] of NOTES.entries()) {
    const note = new OscillatorNode(audio, { frequency });
    note.connect(gain);
    note.start(at * LENGTH);
    note.stop((at + 1) * LENGTH);
  }
  setTimeout(() => void audio.close(), PATIENCE);
}
