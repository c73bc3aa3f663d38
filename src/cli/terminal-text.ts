import { inspect } from 'node:util';

/** Control characters, those that move the cursor or name the window among them; C1 and the line separators, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Foreign text (of a client, a tool, a file's name) as one line for a terminal: nothing in it can clear the
 * screen, retitle the window, or look like a line of ours.
 */
export function terminalLine(text: string): string {
  return text.replace(CONTROL, (found) => {
    const code = found.charCodeAt(0);
    if (found === '\n') return '\\n';
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, '0')}`;
  });
}

/** Text of several lines, such as an error with its stack: each line by itself, and not where ours begin. */
export function terminalBlock(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${terminalLine(line)}`)
    .join('\n');
}

/** Whether stderr is told of something ordinary, or of an error. */
export type SayLevel = 'info' | 'error';

type Saying = (message: string, cause: unknown, level: SayLevel) => void;

let saying: Saying = sayOnTerminal;

/** Says things in another way from now on. Returns what undoes that. */
export function sayWith(given: Saying): () => void {
  const before = saying;
  saying = given;
  return () => {
    saying = before;
  };
}

/** Says on stderr what failed, and why. */
export function say(message: string, cause?: unknown, level: SayLevel = 'error'): void {
  saying(message, cause, level);
}

function sayOnTerminal(message: string, cause: unknown): void {
  const why = cause === undefined ? '' : `${terminalBlock(shown(cause))}\n`;
  process.stderr.write(`parley-mcp: ${terminalLine(message)}\n${why}`);
}

let placed = (text: string): string => text;

/** Says places of built code in another way from now on: as those of the author's files. */
export function placeWith(given: (text: string) => string): void {
  placed = given;
}

/** An error, as text of any number of lines. */
export function shown(cause: unknown): string {
  try {
    return placed(typeof cause === 'string' ? cause : inspect(cause, { depth: 4, colors: false }));
  } catch {
    return 'something that cannot be shown';
  }
}

/** What everybody prints on a stream has the author's places in it from now on. Returns what undoes that. */
export function placeOn(stream: Pick<NodeJS.WriteStream, 'write'>): () => void {
  const { write } = stream;
  const own = (chunk: string | Uint8Array, ...more: unknown[]): boolean =>
    Reflect.apply(write, stream, [placedChunk(chunk), ...more]) as boolean;
  stream.write = own;
  return () => {
    // Who came later has it still.
    if (stream.write === own) stream.write = write;
  };
}

/** What addresses of code that was built here begin with. */
const BUILT = 'parley-tool:';

function placedChunk(chunk: string | Uint8Array): string | Uint8Array {
  if (typeof chunk === 'string') return chunk.includes(BUILT) ? placed(chunk) : chunk;
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.includes(BUILT) ? placed(bytes.toString('utf8')) : chunk;
}
