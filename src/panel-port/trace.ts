import * as z from 'zod/mini';
import { ordinal } from './count.ts';

/** A line of an author's own file that an error came through. */
export const ownFrame = z.object({
  /** As in a stack, without the “at”. */
  text: z.string(),
  /** The place in few words: `failing.ts:21:13`. */
  label: z.string(),
  place: z.object({ file: z.string(), line: ordinal, column: ordinal }),
});

/** An error of a chain: what it says, where in the author's files it came from, and all other frames, folded. */
export const tracePart = z.object({
  title: z.string(),
  own: z.array(ownFrame),
  internal: z.array(z.string()),
});

/** A line of an author's own file. */
export type OwnFrame = z.infer<typeof ownFrame>;
/** An error of a chain. */
export type TracePart = z.infer<typeof tracePart>;
