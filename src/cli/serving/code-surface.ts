import { type Operation, until } from 'effection';
import type { SurfaceOptions } from '../../mcp/index.ts';
import { codePlaces } from '../package-info.ts';

/** The catalogue as three tools, for code that calls the others. Code that still runs ends with its caller. */
export function* useCodeSurface(): Operation<SurfaceOptions> {
  const [{ createCodeMode }, { useCodeEngine }] = yield* until(
    Promise.all([import('../../code/code-mode.ts'), import('../../code/sandbox/engine.ts')]),
  );
  const engine = yield* useCodeEngine(codePlaces());
  const mode = createCodeMode({
    *engine() {
      return engine;
    },
  });
  return { code: () => mode };
}
