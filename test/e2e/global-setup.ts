import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  bridgeExtension,
  demoModelExtension,
  newest,
  oldest,
  repoRoot,
  type ServerAddress,
  startVsCodeServer,
  type VsCodeServer,
} from '#harness';
import { atRest, parleyWith } from './under-test.ts';

declare module 'vitest' {
  interface ProvidedContext {
    server: ServerAddress;
  }
}

let server: VsCodeServer | undefined;

/**
 * Starts the one server of a run. `PARLEY_E2E_VSCODE=oldest` takes the oldest VS Code that Parley supports,
 * `PARLEY_E2E_VSIX` has VS Code install Parley from that package.
 */
export async function setup(project: TestProject): Promise<void> {
  const version = process.env.PARLEY_E2E_VSCODE === 'oldest' ? oldest : newest;
  server = await startVsCodeServer({
    version,
    ...parleyWith(demoModelExtension, bridgeExtension, join(repoRoot, 'test', 'extensions', 'tool-provider')),
    token: 'end-to-end',
    // Windows that run side by side list each other's questions otherwise.
    env: { PARLEY_INBOX: 'none' },
    // The chat view has commands that say which conversation it shows, and show another, with this setting alone.
    settings: { ...atRest, 'parleyDemo.delay': 0, 'agents.voice.enabled': true },
  });
  project.provide('server', server.address);
}

/** Ends it and keeps what it said. */
export async function teardown(): Promise<void> {
  await server?.keepLog('e2e-server');
  await server?.stop();
}
