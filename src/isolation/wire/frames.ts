import * as z from 'zod/mini';
import { anyJson, errorDataSchema, serial } from './methods/shared-schemas.ts';

/** `within`: the call that it belongs to; none for what is outside of all calls. */
const content = { within: z.optional(serial), method: z.string(), params: z.optional(anyJson) };

/** All that crosses. A call has the number that its caller gave it, and gets one answer. */
export const frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), id: serial, ...content }),
  z.object({ type: z.literal('tell'), ...content }),
  z.object({ type: z.literal('done'), id: serial, value: z.optional(anyJson) }),
  z.object({ type: z.literal('failed'), id: serial, error: errorDataSchema }),
  /** It was cancelled, and its cleanup has run. */
  z.object({ type: z.literal('halted'), id: serial }),
  z.object({ type: z.literal('cancel'), id: serial }),
]);

/** One line between two realms, parsed. */
export type WireFrame = z.infer<typeof frame>;

/** The messages of one type. */
export type FrameOf<T extends WireFrame['type']> = Extract<WireFrame, { type: T }>;
