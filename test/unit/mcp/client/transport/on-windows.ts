/** Starts and ends a server as on Windows, in a process of its own, once it says something: `on-windows.ts <command> <arguments>`. Prints its process id. */
Object.defineProperty(process, 'platform', { value: 'win32' });
const { startProcess } = await import('#src/mcp/client/transport/child-process.ts');

const [command = '', ...args] = process.argv.slice(2);
const { promise: running, resolve } = Promise.withResolvers<string>();
const started = await startProcess({ kind: 'stdio', name: 'one', command, args, env: {} }, resolve);
await running;
await started.end();
process.stdout.write(String(started.child.pid));

export {};
