import { SourceMap, type SourceMapPayload } from 'node:module';
import { sourcePath } from '../build/source-path.ts';
import type { SourceLocation } from '../registry/problem.ts';

/** One line of a stack. */
export interface StackFrame {
  /** As the engine wrote it, the place in the author's words. */
  readonly text: string;
  /** Where it is, when that is a file of an author's own and not of a package. */
  readonly place?: SourceLocation;
}

/** Where built code comes from. Node's own source maps do nothing in the extension host: VS Code prepares the stacks. */
export interface StackMaps {
  /** Remembers a piece of code by the URL it runs under. `dir` is what the map's sources are relative to. */
  add(url: string, map: string, dir: string): void;
  /** The frames of a stack, innermost first, each as it reads in the author's file where it comes from one. */
  frames(stack: string): StackFrame[];
  /** Any text, with the author's places in it. */
  inWords(text: string): string;
  /** The innermost place in an author's file, not in a package. */
  placeOf(stack: string): SourceLocation | undefined;
}

interface Known {
  readonly map: string;
  readonly dir: string;
  parsed?: SourceMap;
}

/** How much code is remembered: calls may run on code that was replaced a while ago, but not for ever. */
const CAPACITY = 2000;

/** Addresses are no longer than this here: each that ends in no place is read to its end, and a stack holds what a tool writes. */
const FRAME_PLACE = /((?:parley-tool|https?|vscode-webview|file):[^\s()]{0,1000}?):(\d{1,9}):(\d{1,9})/g;

/** Makes the maps of a window; each loaded folder adds its own. */
export function createStackMaps(): StackMaps {
  const known = new Map<string, Known>();

  const find = (url: string, line: string, column: string): SourceLocation | undefined => {
    const code = known.get(keyOf(url));
    if (code === undefined) return undefined;
    code.parsed ??= new SourceMap(JSON.parse(code.map) as SourceMapPayload);
    const entry = code.parsed.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry) || !entry.originalSource) return undefined;
    return {
      file: sourcePath(code.dir, entry.originalSource),
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
    };
  };

  const inWords = (text: string, found: (place: SourceLocation) => void = () => {}): string =>
    text.replaceAll(FRAME_PLACE, (written, url: string, row: string, column: string) => {
      const place = find(url, row, column);
      if (!place) return written;
      found(place);
      return `${place.file}:${place.line}:${place.column}`;
    });

  return {
    inWords: (text) => inWords(text),
    add(url, map, dir) {
      const key = keyOf(url);
      known.delete(key);
      known.set(key, { map, dir });
      const oldest = known.keys().next();
      if (known.size > CAPACITY && !oldest.done) known.delete(oldest.value);
    },
    frames: (stack) =>
      stack
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .map((line) => {
          let place: SourceLocation | undefined;
          const text = inWords(line.trim(), (one) => {
            place = one;
          });
          return place && isOwn(place) ? { text, place } : { text };
        }),
    placeOf(stack) {
      for (const [, url = '', line = '', column = ''] of stack.matchAll(FRAME_PLACE)) {
        const place = find(url, line, column);
        if (place && isOwn(place)) return place;
      }
      return undefined;
    },
  };
}

function isOwn({ file }: SourceLocation): boolean {
  return !/[\\/]node_modules[\\/]/.test(file);
}

/** A page knows its bundle under a URL of its own; the file's name holds the hash. */
function keyOf(url: string): string {
  return url.startsWith('parley-tool:') ? url : (url.split(/[?#]/)[0]?.split('/').at(-1) ?? url);
}
