import type { Operation } from 'effection';
import { type CodeMode, createCodeMode } from '../../../code/code-mode.ts';
import type { ExecuteCode } from '../../../code/execute-code.ts';
import { executeCodePlugin } from '../../../code/execute-code-plugin.ts';
import { type CodeEngineOptions, useCodeEngine } from '../../../code/sandbox/engine.ts';
import { takeWords } from '../../calls/shipped/shipped-words.ts';

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
    plugin: executeCodeHere,
  });
}

/** Its questions are read in the editor's language, as those of the other tools that come with Parley. */
function executeCodeHere(tool: ExecuteCode) {
  takeWords([tool], {});
  return executeCodePlugin(tool);
}
