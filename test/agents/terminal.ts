import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import type { Start } from './agent.ts';

const keys = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  Space: ' ',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Backspace: '\x7f',
  'Ctrl+C': '\x03',
  'Ctrl+D': '\x04',
  'Ctrl+N': '\x0e',
} as const;

/** A key that a person presses in a terminal. */
export type Key = keyof typeof keys;

/** A program in a terminal of 50 lines, as a person sees it and types into it. */
export interface Terminal {
  /** What is on the screen now, a line each, without spaces at their ends. */
  screen(): string;
  /**
   * Waits until the screen matches.
   * @throws Error with the screen, when it has not for a minute, or the program has ended
   */
  until(shown: RegExp, seconds?: number): Promise<void>;
  /** Types text, as fast as a person who pastes nothing: agents take what comes at once for a paste. */
  type(text: string): Promise<void>;
  press(...pressed: readonly Key[]): Promise<void>;
  /** Ends the program and all that it started, at once. */
  kill(): void;
}

/** Starts a program in a terminal. */
export function openTerminal({ command, args, cwd, env }: Start): Terminal {
  const [cols, rows] = [150, 50];
  const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  const program = spawn(command, [...args], { name: 'xterm-256color', cols, rows, cwd, env: { ...env } });
  let ended = false;
  program.onData((text) => screen.write(text));
  program.onExit(() => {
    ended = true;
  });
  // What a program asks its terminal about: colors, sizes, where the cursor is.
  screen.onData((text) => {
    if (!ended) program.write(text);
  });

  const shown = (): string => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.viewportY + row));
    return lines
      .map((line) => line?.translateToString(true) ?? '')
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  };
  const drawn = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(done, 250);
      const watching = screen.onWriteParsed(done);
      function done(): void {
        clearTimeout(timer);
        watching.dispose();
        resolve();
      }
    });
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  return {
    screen: shown,
    async until(wanted, seconds = 60) {
      const limit = Date.now() + seconds * 1000;
      while (!wanted.test(shown())) {
        if (ended) throw new Error(`The program ended before ${wanted} was on its screen:\n${shown()}`);
        if (Date.now() > limit)
          throw new Error(`${wanted} was not on the screen for ${seconds} s:\n${shown()}`);
        await drawn();
      }
    },
    async type(text) {
      for (const letter of text) {
        program.write(letter);
        await pause(KEYSTROKE);
      }
    },
    async press(...pressed) {
      for (const key of pressed) {
        await pause(THINKS);
        program.write(keys[key]);
      }
    },
    kill() {
      if (ended) return;
      try {
        // A terminal's program leads a group of its own.
        process.kill(-program.pid, 'SIGKILL');
      } catch {
        program.kill('SIGKILL');
      }
    },
  };
}

/** Milliseconds from one letter to the next. */
const KEYSTROKE = 15;

/** Milliseconds before a key that does something: some agents take what follows text at once for a paste. */
const THINKS = 700;
