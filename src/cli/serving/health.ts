import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where who looks after servers asks how they are. */
const LIVE = '/health';
const READY = '/ready';

/** How long an answer is good for, milliseconds: frequent requests do not reach the store. */
const FRESH = 1_000;

/** What answers how a server is. */
export interface HealthOptions {
  readonly isDraining: () => boolean;
  /** Whether calls can be kept now. */
  keepsCalls(): Promise<boolean>;
}

/**
 * Answers `GET /health` (the process lives) and `GET /ready` (it takes calls: it is not ending, and its store can be written to), for
 * whoever asks. Errors are on stderr, never here.
 *
 * @returns what answers a request; false for any other, which is left alone
 */
export function createHealth({
  isDraining,
  keepsCalls,
}: HealthOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  let asked = Number.NEGATIVE_INFINITY;
  let keeps: Promise<boolean> = Promise.resolve(false);
  const keepsNow = (): Promise<boolean> => {
    const now = performance.now();
    if (now - asked > FRESH) {
      asked = now;
      keeps = keepsCalls();
    }
    return keeps;
  };
  const stateOf = async () => {
    if (isDraining()) return 'ending';
    return (await keepsNow()) ? 'ready' : 'calls cannot be saved';
  };
  return (req, res) => {
    const path = req.url?.split('?', 1)[0];
    if ((path !== LIVE && path !== READY) || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const answer = (status: string) => {
      const isWell = status === 'ready' || status === 'alive';
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      res.writeHead(isWell ? 200 : 503, headers).end(JSON.stringify({ status }));
    };
    if (path === LIVE) answer('alive');
    else stateOf().then(answer, () => answer('calls cannot be saved'));
    return true;
  };
}
