import { StringDecoder } from 'node:string_decoder';
import { readOptions } from '../options.ts';
import { type SayLevel, sayWith, shown } from '../terminal-text.ts';

/** What others print without ending the line is a line of its own from here on, in characters. */
const LONGEST = 64 * 1024;

/** What JSON leaves as it is, and some readers take for the end of a line, or a terminal for a command. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line of a log, for programs: whatever is in the text, it stays one line. */
export function jsonLine(level: SayLevel, message: string, cause?: unknown): string {
  const why = cause === undefined ? {} : { cause: shown(cause) };
  const text = JSON.stringify({ time: new Date().toISOString(), level, message, ...why });
  return `${text.replace(UNSAFE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Whether a command line, or the environment, asks for logs in JSON. */
export function logsJson(argv: readonly string[]): boolean {
  try {
    return readOptions(argv).values['log-format'] === 'json';
  } catch {
    // What is wrong with it is said by who runs it.
    return false;
  }
}

/** What this thread says itself is JSON from now on. Returns what undoes that. */
export function sayJson(write: (text: string) => void = (text) => void process.stderr.write(text)) {
  return sayWith((message, cause, level) => write(jsonLine(level, message, cause)));
}

/** Each line on this stream is JSON from now on: what is said here, and what anybody else prints. Returns what undoes the first. */
export function makeLogJson(stream: Pick<NodeJS.WriteStream, 'write'>): () => void {
  const write = stream.write.bind(stream);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    rest += typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    const lines = rest.split('\n');
    const last = lines.pop() ?? '';
    rest = last.length > LONGEST ? '' : last;
    if (rest !== last) lines.push(last);
    const text = lines
      .filter((line) => line.trim() !== '')
      .map((line) => jsonLine('info', line))
      .join('');
    return write(text, typeof encoding === 'function' ? encoding : done);
  };
  return sayJson((text) => void write(text));
}
