import { serve } from '@hono/node-server';
import { main, suspend } from 'effection';
import { useApp } from './app.ts';

// `main` halts on SIGINT and SIGTERM: the server closes, and calls that wait run their cleanup.
await main(function* () {
  const fetch = yield* useApp();
  const port = Number(process.env.PORT ?? 4200);
  const server = serve({ fetch, hostname: '127.0.0.1', port }, (address) =>
    console.log(`http://127.0.0.1:${address.port}`),
  );
  try {
    yield* suspend();
  } finally {
    server.close();
  }
});
