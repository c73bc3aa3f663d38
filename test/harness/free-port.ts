import { createServer } from 'node:net';

/** The wished-for port if nothing listens there on this machine, else 0, which takes any free one. */
export function portOrAny(wish: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(wish, '127.0.0.1', () => probe.close(() => resolve(wish)));
  });
}

/** A port below those that systems hand out, so that nobody gets it before its server listens, or while that is away. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
  throw new Error('there is no free port');
}
