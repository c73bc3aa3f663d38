import { makePlugin } from 'parley-mcp';
import { FlakyTests } from './flaky.view.tsx';
import { findFlakyTests } from './tool.ts';

/** How the editor and pages ask which tests go into quarantine. */
export const findFlakyTestsPlugin = makePlugin(findFlakyTests)
  .onElicit({
    *quarantine({ flaky, broken }, ctx) {
      const tests = yield* ctx.render(FlakyTests, { flaky, broken });
      return { action: 'accept', content: { tests: [...tests] } };
    },
  })
  .build();
