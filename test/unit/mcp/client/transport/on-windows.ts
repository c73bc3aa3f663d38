/** Starts and ends a server as on Windows, in a process of its own, once it says something: `on-windows.ts <command> <arguments>`. Prints its process id. */
import { run, scoped, until } from 'effection';

Object.defineProperty(process, 'platform', { value: 'win32' });
const { useServerProcess } = await import('#src/mcp/client/transport/child-process.ts');

const [command = '', ...args] = process.argv.slice(2);
const { promise: running, resolve } = Promise.withResolvers<string>();
const entry = { kind: 'stdio', name: 'one', command, args, env: {} } as const;
const pid = await run(() =>
  scoped(function* () {
    const { child } = yield* useServerProcess(entry, resolve);
    yield* until(running);
    return child.pid;
  }),
);
process.stdout.write(String(pid));
