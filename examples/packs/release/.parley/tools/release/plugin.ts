import { makePlugin } from 'parley-mcp';
import { PackedFiles, ReleasePlan } from './release.view.tsx';
import { release } from './tool.ts';

/** How the editor and pages ask what `release` wants to know. */
export const releasePlugin = makePlugin(release)
  .onElicit({
    *plan({ version, commits, lastTag, suggested, notes }, ctx) {
      const content = yield* ctx.render(ReleasePlan, { version, commits, lastTag, suggested, notes });
      return { action: 'accept', content };
    },
    *publish({ tag, files, remote }, ctx) {
      const push = yield* ctx.render(PackedFiles, { tag, files, remote });
      return { action: 'accept', content: { push } };
    },
  })
  .build();
