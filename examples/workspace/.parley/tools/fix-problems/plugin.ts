import { makePlugin } from 'parley-mcp';
import { EditReview } from './edit-review.view.tsx';
import { fixProblems } from './tool.ts';

/** How the editor shows an edit. */
export const fixProblemsPlugin = makePlugin(fixProblems)
  .onElicit({
    *reviewEdit({ file, lines, index, total }, ctx) {
      const decision = yield* ctx.render(EditReview, { file, lines, index, total });
      return { action: 'accept', content: { decision } };
    },
  })
  .build();
