import * as z from 'zod/mini';
import type { Message } from '../../core/messages/content.ts';
import { asItCame, jsonObject } from './methods/shared-schemas.ts';

/** Fields that their type does not name pass: what they mean is for the client. */
const known = {
  text: z.looseObject({ text: z.string() }),
  image: z.looseObject({ data: z.string(), mimeType: z.string() }),
  audio: z.looseObject({ data: z.string(), mimeType: z.string() }),
  resource: z.looseObject({ resource: z.looseObject({ uri: z.string() }) }),
  resource_link: z.looseObject({ uri: z.string(), name: z.string() }),
  tool_use: z.looseObject({ id: z.string(), name: z.string(), input: jsonObject }),
  get tool_result() {
    return z.looseObject({ toolUseId: z.string(), content: z.array(block) });
  },
};

/** A content block: of a type that the protocol has, with its fields; or of one that only the author and the client know. */
const block: z.ZodMiniType = z.looseObject({ type: z.string() }).check(({ value, issues }) => {
  const schema = Object.hasOwn(known, value.type) ? known[value.type as keyof typeof known] : undefined;
  for (const { message, path } of schema?.safeParse(value).error?.issues ?? []) {
    issues.push({ code: 'custom', message, path, input: value });
  }
});

/** Messages of a conversation with a model, block by block. */
export const messages = asItCame<readonly Message[]>(
  z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.union([z.array(block), block]) })),
);
