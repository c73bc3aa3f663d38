import { createServer } from 'node:net';

/** The wished-for port if nothing listens there on this machine, else 0, which takes any free one. */
export function portOrAny(wish: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(wish, '127.0.0.1', () => probe.close(() => resolve(wish)));
  });
}
