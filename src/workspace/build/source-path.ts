import { resolve } from 'node:path';
import { decoded } from '../../core/schema/decoded.ts';

/** The file of a source in a source map. Sources are addresses: what would mean something in those is encoded; some tools write it as it is. */
export function sourcePath(dir: string, source: string): string {
  return resolve(dir, decoded(source));
}
