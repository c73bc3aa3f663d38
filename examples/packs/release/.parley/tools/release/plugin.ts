import { makePlugin, view } from 'parley-mcp';
import { PackedFiles, ReleasePlan } from './release.view.tsx';
import { release } from './tool.ts';

/** How the editor and pages ask what `release` wants to know. */
export const releasePlugin = makePlugin(release)
  .onElicit({
    plan: view(ReleasePlan, ({ version, commits, lastTag, suggested, notes }) => {
      return { version, commits, lastTag, suggested, notes };
    }),
    publish: view(PackedFiles, ({ tag, files, remote }) => ({ tag, files, remote })),
  })
  .build();
