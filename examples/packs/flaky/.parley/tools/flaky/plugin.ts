import { makePlugin, view } from 'parley-mcp';
import { FlakyTests } from './flaky.view.tsx';
import { findFlakyTests } from './tool.ts';

/** How the editor and pages ask which tests go into quarantine. */
export const findFlakyTestsPlugin = makePlugin(findFlakyTests)
  .onElicit({
    quarantine: view(FlakyTests, ({ flaky, broken }) => ({ flaky, broken })),
  })
  .build();
