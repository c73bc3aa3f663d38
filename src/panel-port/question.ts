import * as z from 'zod/mini';
import { formJsonSchema } from '../core/form/form-schema.ts';
import { readPageAddress } from '../core/page/page-address.ts';
import { ordinal } from './count.ts';
import { jsonObject, jsonValue } from './json.ts';

/** Names a view, and says where it is when the page's own bundle does not hold it (workspace tools). */
export const viewRef = z.object({
  /** Source root + path + export + build hash. */
  key: z.string(),
  /** Webview URIs of an ES module that exports `views`, and of its stylesheet. Imported once per page. */
  bundle: z.optional(z.object({ script: z.string(), style: z.optional(z.string()) })),
});

/** One rendering of a view. A new `render` has a new `renderId`; answers to an old one are ignored. */
export const renderedView = z.object({ renderId: z.string(), view: viewRef, props: jsonObject });

/** What stands where the answer is given. */
export const questionBody = z.discriminatedUnion('kind', [
  /** No handler, or its handler gave way: the schema form. */
  z.object({ kind: z.literal('form'), schema: formJsonSchema }),
  /** The handler waits for the view's `onRespond`. */
  z.object({ kind: z.literal('view'), ...renderedView.shape }),
  /** A page to open in the browser, once the person has agreed. `asker` is the tool, with its server where it is another's. */
  z.object({
    kind: z.literal('page'),
    /** Plain ASCII. */
    url: z.string().check(z.refine((url) => readPageAddress(url).ok)),
    asker: z.string(),
  }),
  /** The handler runs and has not rendered anything to answer. */
  z.object({ kind: z.literal('busy'), note: z.optional(z.string()) }),
]);

/** A question to the person, open until it is answered, declined, cancelled or withdrawn. */
export const question = z.object({
  /** The elicitation's id: stays the same when it is asked again. */
  id: z.string(),
  /** 1, then rising with each re-ask; `problem` says what was wrong with the answer before. */
  attempt: ordinal,
  problem: z.optional(z.string()),
  /** Something the person should know about how it is asked: a view failed, so here is its form. */
  notice: z.optional(z.string()),
  key: z.optional(z.string()),
  /** The tools that the call has called on the way to the one that asks, outermost first. */
  path: z.optional(z.array(z.string())),
  message: z.string(),
  /** 1 for the call's first question. */
  number: ordinal,
  /** The question's declared context, for showing. */
  context: z.optional(jsonValue),
  /** The id of the question before, which can be answered again. */
  back: z.optional(z.string()),
  /** Its tool takes a decline for a cancel. */
  decline: z.optional(z.literal(false)),
  /** It takes a word back that is no answer, in a field of this name beside those of its form. */
  replies: z.optional(z.string()),
  /** Epoch milliseconds. */
  openedAt: z.number(),
  body: questionBody,
});

/** Names a view. */
export type ViewRef = z.infer<typeof viewRef>;
/** One rendering of a view. */
export type RenderedView = z.infer<typeof renderedView>;
/** What stands where the answer is given. */
export type QuestionBody = z.infer<typeof questionBody>;
/** A question to the person. */
export type Question = z.infer<typeof question>;
