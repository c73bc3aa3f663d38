import * as z from 'zod/mini';
import { count } from './count.ts';
import { jsonObject, jsonValue } from './json.ts';
import { type MessageOf, messageKind, messageReader, type Named } from './message.ts';
import { RESULT_FORMATS } from './result-text.ts';

/** Page → host: mounted, or out of step. Answer with a snapshot. */
export const ready = messageKind('ready', () => z.object({ lastVersion: z.optional(z.int()) }));

/** Page → host: the parameters of Run Tool…. Checked by the page, to be checked again by the host. */
export const submitParams = messageKind('submitParams', () =>
  z.object({ formId: z.string(), values: jsonObject }),
);

/** Page → host: the schema form's answer. `attempt` tells a late answer to an earlier asking. */
export const answerForm = messageKind('answerForm', () =>
  z.object({ questionId: z.string(), attempt: z.int(), content: jsonObject }),
);

/** Page → host: a view called `onRespond(value)`; once per rendering. */
export const viewResponse = messageKind('viewResponse', () =>
  z.object({ renderId: z.string(), value: jsonValue }),
);

/** Page → host: the person says no. */
export const decline = messageKind('decline', () => z.object({ questionId: z.string() }));

/** Page → host: the person leaves the question. */
export const cancel = messageKind('cancel', () => z.object({ questionId: z.string() }));

/** Page → host: back to a question that was answered, to answer it again. */
export const goBack = messageKind('goBack', () => z.object({ to: z.string() }));

/** Page → host: abort the call; before it runs (parameters), close the panel. */
export const stop = messageKind('stop', () => z.object({}));

/**
 * Page → host: what was typed and not sent, and the place that was scrolled to. A page that is opened again after its
 * window was closed begins with it.
 */
export const keep = messageKind('keep', () => z.object({ memory: jsonObject }));

/** Page → host: put this on the clipboard. */
export const copy = messageKind('copy', () => z.object({ text: z.string() }));

const PICK_KINDS = ['file', 'folder', 'place'] as const;

/** What the person can pick: a file, a folder, or the lines that they have selected in an editor. */
export type PickKind = (typeof PICK_KINDS)[number];

/** Page → host: let the person pick a path for the control with this id. Answered with `picked`, or not at all. */
export const pickPath = messageKind('pickPath', () =>
  z.object({ control: z.string(), what: z.enum(PICK_KINDS) }),
);

/** Page → host: show the lines that a text such as `src/a.ts:10-14` names. The host decides which files it shows. */
export const showPlace = messageKind('showPlace', () =>
  z.object({ place: z.string().check(z.maxLength(2_000)) }),
);

/** Page → host: show the result in an editor, or save it. The host writes it itself, from what it showed. */
export const takeResult = messageKind('takeResult', () =>
  z.object({ how: z.enum(['open', 'save']), as: z.enum(RESULT_FORMATS) }),
);

/** Page → host: show the file that a block of the result leads to, by where the block is. */
export const openBlock = messageKind('openBlock', () => z.object({ block: count }));

/** Page → host: the person has the keyboard in it, each time that it comes. */
export const looked = messageKind('looked', () => z.object({}));

/** Page in a conversation → host: show this call in its own panel. */
export const openPanel = messageKind('openPanel', () => z.object({}));

/** Page → host: show the output channel. */
export const openLogs = messageKind('openLogs', () => z.object({}));

/** Page → host: show the place of a frame in the author's file, by where the frame is in the trace. */
export const openFrame = messageKind('openFrame', () => z.object({ part: count, frame: count }));

/** Page → host: a button that the host offered with an end was pressed. */
export const pressAction = messageKind('pressAction', () => z.object({ id: z.string() }));

/** Page → host: a view cannot be found, cannot be loaded, or crashed. Fall back to the schema form. */
export const viewCrashed = messageKind('viewCrashed', () =>
  z.object({
    renderId: z.string(),
    error: z.object({ name: z.string(), message: z.string(), stack: z.optional(z.string()) }),
  }),
);

/** Page → host: for the log. Something the page could not use, or an error of its own. */
export const pageProblem = messageKind('pageProblem', () =>
  z.object({ message: z.string(), detail: z.optional(z.string()) }),
);

/** Everything the page may say. */
export const toHost = {
  ready,
  submitParams,
  answerForm,
  viewResponse,
  decline,
  cancel,
  goBack,
  stop,
  keep,
  copy,
  pickPath,
  showPlace,
  takeResult,
  openBlock,
  looked,
  openPanel,
  openLogs,
  openFrame,
  pressAction,
  viewCrashed,
  pageProblem,
};

/** A message from the page. */
export type ToHost = MessageOf<typeof toHost>;

/** What answers something that the host waits for. */
export type PageAnswer = Named<
  ToHost,
  'answerForm' | 'decline' | 'cancel' | 'viewResponse' | 'viewCrashed' | 'submitParams'
>;

/** What an answer is for: the id of a question, of a rendering or of a form. */
export function targetOf({ body }: PageAnswer): string {
  if ('questionId' in body) return body.questionId;
  return 'renderId' in body ? body.renderId : body.formId;
}

/** The host's ear. */
export const readFromPage = messageReader(toHost);
