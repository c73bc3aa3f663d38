import { makePlugin } from '../../core/plugin/make-plugin.ts';
import { PlanReview } from './plan-review.view.tsx';
import { reviewContent } from './review.ts';
import { reviewPlan } from './tool.ts';

/** How the editor shows a plan. */
export const reviewPlanPlugin = makePlugin(reviewPlan)
  .onElicit({
    *review({ text, parts }, ctx) {
      const given = yield* ctx.render(PlanReview, { parts });
      return { action: 'accept', content: reviewContent(text, given) };
    },
  })
  .build();
