import { toError } from '../../core/errors/parley-error.ts';
import type { RealmEnd, RealmLink } from './link.ts';
import { type Address, openPort } from './open-port.ts';
import type { SocketLine } from './socket-line.ts';

/** Whoever starts and ends the process of a realm: a debugger, or a test. */
export interface ProcessStarter {
  /** Starts a process that comes in by this port. @throws why it could not */
  start(key: Address): Promise<void>;
  /** Resolves when the process is gone, with what is said of that. Never, when it was not started. */
  readonly gone: Promise<string>;
  /** Ends the process, whatever it is doing. */
  stop(): Promise<void>;
}

/** How a process is launched. */
export interface LaunchOptions {
  /** How long it may take to come in, in milliseconds, once it was started. */
  readonly patience: number;
  /** Hears that the process has gone by itself, before the realm ends. */
  onLost?(reason: string): void;
}

/** Starts a process that serves tools. What is sent before it has come in waits for it. */
export function launchProcess(starter: ProcessStarter, { patience, onLost }: LaunchOptions): RealmLink {
  const { promise: ended, resolve } = Promise.withResolvers<RealmEnd>();
  const early: string[] = [];
  let listener: ((text: unknown) => void) | undefined;
  let line: SocketLine | undefined;
  let over = false;
  let closePort = () => {};

  const end = (how: RealmEnd) => {
    if (over) return;
    over = true;
    closePort();
    line?.close();
    resolve(how);
  };
  const lost = (reason: string) => {
    if (over) return;
    onLost?.(reason);
    end({ kind: 'lost', reason });
    void starter.stop();
  };
  const enter = (entered: SocketLine) => {
    line = entered;
    if (over) return entered.close();
    for (const text of early.splice(0)) entered.send(text);
    if (listener) entered.listen(listener);
    void entered.ended.then((wrong) =>
      lost(wrong ? `the line to its process broke: ${wrong.message}` : 'its process has ended'),
    );
  };
  const begin = async () => {
    const open = await openPort();
    closePort = open.close;
    if (over) return open.close();
    void starter.gone.then(lost);
    void open.entered.then(enter);
    await starter.start({ port: open.port, token: open.token });
    const tooLate = setTimeout(() => lost(`no process came within ${patience / 1000} s`), patience);
    void Promise.race([open.entered, ended]).then(() => clearTimeout(tooLate));
  };
  void begin().catch((error: unknown) => lost(toError(error).message));

  return {
    ended,
    send: (text) => (line ? line.send(text) : void early.push(text)),
    listen(given) {
      listener = given;
      line?.listen(given);
    },
    async terminate() {
      end({ kind: 'terminated' });
      await starter.stop();
    },
  };
}
