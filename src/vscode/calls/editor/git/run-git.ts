import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { ensure, type Operation, scoped, withResolvers } from 'effection';
import { GitError } from '../../../../core/errors/git-error.ts';

/** The git of the editor, in one repository. */
export interface Git {
  /** The program, as the editor found it. */
  readonly program: string;
  /** The repository's folder. */
  readonly root: string;
}

/** How one command runs. */
export interface GitRun {
  /** What it reads. */
  readonly input?: string;
  /** How many characters of what it prints are read: git is ended when it prints more. */
  readonly most?: number;
  /** Exit codes that are no failure; 0 alone unless given. */
  readonly codes?: readonly number[];
}

/** What a command printed. */
export interface GitOutput {
  readonly text: string;
  /** It had more to say than was read. */
  readonly cut: boolean;
  readonly code: number;
}

/** More than any list of files is long. */
const MOST = 64_000_000;
const MOST_ERROR = 8000;

/**
 * Runs git and reads what it prints, never more than asked for. Halting ends git and waits until it is gone, so that it
 * leaves nothing locked.
 *
 * @throws `GitError` when git fails.
 */
export function* runGit(git: Git, args: readonly string[], run: GitRun = {}): Operation<GitOutput> {
  const { input = '', most = MOST, codes = [0] } = run;
  return yield* scoped(function* () {
    const output = withResolvers<GitOutput>();
    const gone = withResolvers<void>();
    const child = spawn(git.program, args, {
      cwd: git.root,
      // Reading takes no lock that another program may want.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      windowsHide: true,
    });
    let text = '';
    let errors = '';
    let cut = false;
    const decoder = new StringDecoder('utf8');
    child.stdout.on('data', (chunk: Buffer) => {
      if (cut) return;
      text += decoder.write(chunk);
      if (text.length <= most) return;
      cut = true;
      text = text.slice(0, most);
      child.kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-MOST_ERROR);
    });
    // Git that fails at once does not read.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => {
      gone.resolve();
      output.reject(new GitError({ problem: 'unavailable', output: error.message, cause: error }));
    });
    // What git itself started may go on, with our ends of its pipes.
    child.on('exit', () => gone.resolve());
    child.on('close', (code) => {
      if (cut || codes.includes(code ?? -1)) output.resolve({ text, cut, code: code ?? 0 });
      else
        output.reject(
          new GitError({ problem: /\.lock\b/.test(errors) ? 'locked' : 'refused', output: errors }),
        );
    });
    yield* ensure(function* () {
      child.kill();
      yield* gone.operation;
      child.stdout.destroy();
      child.stderr.destroy();
    });
    return yield* output.operation;
  });
}

/** Output of git that is separated by NUL, as a list. */
export function splitAtNul(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}
