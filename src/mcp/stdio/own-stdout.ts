import { Writable } from 'node:stream';
import { keepFromStdout } from '../../node/keep-from-stdout.ts';

let wire: Writable | undefined;

/**
 * Takes stdout for messages alone, for as long as the process lives: what anything else prints goes to stderr, for half a line between
 * messages makes the next one unreadable. Take it before code of others runs.
 */
export function takeStdout(): Writable {
  if (wire) return wire;
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  wire = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
  stdout.on('error', (error) => wire?.destroy(error));
  // The stream itself stays: a thread hears through it when more is wanted.
  stdout.write = (...given: unknown[]) => Reflect.apply(process.stderr.write, process.stderr, given);
  stdout.end = () => stdout;
  stdout.cork = () => {};
  keepFromStdout();
  return wire;
}
