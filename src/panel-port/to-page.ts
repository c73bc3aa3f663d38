import * as z from 'zod/mini';
import { type MessageOf, messageKind, messageReader } from './message.ts';
import { patchBody, snapshotBody } from './snapshot.ts';

/** Host → page: draw this. */
export const snapshot = messageKind('snapshot', () => snapshotBody);

/** Host → page: what changed since. */
export const patch = messageKind('patch', () => patchBody);

/** Host → page: the person asked for this panel, so the page may take the keyboard. */
export const focus = messageKind('focus', () => z.object({}));

/**
 * Host → page: what you sent for `target` (a question's id, a `formId` or a `renderId`) did not count, and here is
 * why. The page unlocks its form. Not for answers that break the schema: those are asked again, with a `problem`.
 */
export const refused = messageKind('refused', () => z.object({ target: z.string(), message: z.string() }));

/** Host → page: the path that the person picked for the control with this id. */
export const picked = messageKind('picked', () => z.object({ control: z.string(), path: z.string() }));

/** Host → page: whether a question that comes while the person is elsewhere is heard, as they want it now. */
export const sound = messageKind('sound', () => z.object({ on: z.boolean() }));

/** Everything the host may say. */
export const toPage = { snapshot, patch, focus, refused, picked, sound };

/** A message from the host. */
export type ToPage = MessageOf<typeof toPage>;

/** The page's ear. */
export const readFromHost = messageReader(toPage);
