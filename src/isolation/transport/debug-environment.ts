import type { Address } from './open-port.ts';

/** Environment variables by which a process for debugging learns where to go. Not arguments: anybody may list those. */
const PORT = 'PARLEY_DEBUG_PORT';
const TOKEN = 'PARLEY_DEBUG_TOKEN';

/** The variables for a process. */
export function debugEnvironment({ port, token }: Address): Readonly<Record<string, string>> {
  return { [PORT]: String(port), [TOKEN]: token };
}

/** Reads them in the process, and takes them away: tools and what they start do not see them. @throws when they are not there */
export function takeDebugEnvironment(env: NodeJS.ProcessEnv = process.env): Address {
  const port = Number(env[PORT]);
  const token = env[TOKEN];
  delete env[PORT];
  delete env[TOKEN];
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || !token) {
    throw new Error('a process for debugging is started by the command parley.debugTool');
  }
  return { port, token };
}
