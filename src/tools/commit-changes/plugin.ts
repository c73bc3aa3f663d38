import { makePlugin } from '../../core/plugin/make-plugin.ts';
import { picksText } from './changed-file.ts';
import { FilePicker } from './file-picker.view.tsx';
import { commitChanges } from './tool.ts';

/** How the editor asks what to commit. */
export const commitChangesPlugin = makePlugin(commitChanges)
  .onElicit({
    *chooseFiles({ files, suggested }, ctx) {
      const numbers = yield* ctx.render(FilePicker, { files, suggested });
      return { action: 'accept', content: { files: picksText(numbers, files) } };
    },
  })
  .build();
