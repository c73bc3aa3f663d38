import { writeFile } from 'node:fs/promises';
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** Takes pictures of a page, to be shown one after the other. */
export interface MovingPicture {
  /** Adds what the page shows now, for that many milliseconds. */
  take(milliseconds: number): Promise<void>;
  /** Writes the GIF; it says how many bytes it has. */
  write(path: string): Promise<number>;
}

interface Frame {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly delay: number;
}

/** An empty one. */
export function createMovingPicture(page: Page): MovingPicture {
  const frames: Frame[] = [];
  return {
    async take(delay) {
      const png = PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
      frames.push({ data: png.data, width: png.width, height: png.height, delay });
    },
    async write(path) {
      const bytes = encode(frames);
      await writeFile(path, bytes);
      return bytes.length;
    },
  };
}

/** One palette for all frames; after the first, only what has changed: the rest is transparent and costs next to nothing. */
function encode(frames: readonly Frame[]): Uint8Array {
  const gif = GIFEncoder();
  const palette = quantize(Buffer.concat(frames.map(({ data }) => data)), 255, { format: 'rgb565' });
  const transparentIndex = palette.length;
  let before: Uint8Array | undefined;
  for (const { data, width, height, delay } of frames) {
    const now = applyPalette(data, palette, 'rgb565');
    const shown = before;
    const changed = shown ? now.map((index, at) => (index === shown[at] ? transparentIndex : index)) : now;
    gif.writeFrame(changed, width, height, {
      palette: before ? undefined : [...palette, [0, 0, 0]],
      delay,
      transparent: before !== undefined,
      transparentIndex,
      dispose: 1,
    });
    before = now;
  }
  gif.finish();
  return gif.bytes();
}
