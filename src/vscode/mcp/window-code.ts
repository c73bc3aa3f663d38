import type { Operation } from 'effection';
import { type CodeMode, createCodeMode } from '../../code/code-mode.ts';
import { executeCodePlugin } from '../../code/execute-code-plugin.ts';
import { type CodeEngineOptions, useCodeEngine } from '../../code/sandbox/engine.ts';

/** What code runs in. */
export type SandboxFiles = Pick<CodeEngineOptions, 'worker' | 'wasm'>;

/** Code mode for agents of this window: whatever a client could answer, the person is asked in the editor, in the table. */
export function* useWindowCode(files: SandboxFiles): Operation<CodeMode> {
  const engine = yield* useCodeEngine(files);
  return createCodeMode({
    *engine() {
      return engine;
    },
    inEditor: true,
    plugin: executeCodePlugin,
  });
}
