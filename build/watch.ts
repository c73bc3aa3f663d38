import { watch } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

/** Builds again when a source has changed: once for a burst, one build at a time. */
export function watchSources(build: () => Promise<void>): void {
  let queued = false;
  let last = Promise.resolve();
  const changed = () => {
    if (queued) return;
    queued = true;
    setTimeout(() => {
      queued = false;
      last = last.then(build);
    }, 100);
  };
  for (const folder of ['src', 'webview']) watch(join(root, folder), { recursive: true }, changed);
}
