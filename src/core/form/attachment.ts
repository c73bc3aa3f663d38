import * as z from 'zod';
import { ToolDefinitionError } from '../errors/definition-errors.ts';
import type { EmbeddedResourceContent, ImageContent } from '../messages/content.ts';
import { isContentBlock } from '../messages/result-content.ts';
import { type AttachmentLimits, bytesOf, fileTypeOf, isAccepted, isPictureAsSaid } from './attached.ts';
import type { AsJson } from './json-field.ts';

/** A file that the person gave: a picture, or any other with its name in its address. */
export type Attachment = ImageContent | EmbeddedResourceContent;

/** What {@link attachment} takes. */
export type AttachmentOptions = Partial<AttachmentLimits>;

/** Fits the smallest message on the way from a page: a server's `maxBody` is 1 MiB, and base64 takes a third more. */
const MOST_BYTES = 700_000;
/** What a record of a call has room for, among others. */
const MOST_OF_ALL = 8_000_000;

/**
 * A field for files that the person pastes, drops or chooses, as content blocks: a picture is an image, any other file an embedded resource.
 * Pictures are made anew in the page, without what a camera wrote into them, and smaller where they are too large. Only Parley's own form
 * has it: people before other clients are sent to a page, and a text of theirs is never taken for a path.
 *
 * @throws `ToolDefinitionError` for bounds that are none
 * @example
 * const pictures = attachment({ accept: ['image/*'], max: 3 }).meta({ title: 'Screenshots' });
 * const questions = { bug: z.object({ what: z.string(), pictures: pictures.optional() }) }; // .elicits(questions)
 */
export function attachment({
  accept = ['image/*'],
  max = 1,
  maxBytes = MOST_BYTES,
}: AttachmentOptions = {}): z.ZodType<Attachment[], AsJson<Attachment[]>> {
  const isBound = (bound: number, most: number) => Number.isInteger(bound) && bound >= 1 && bound <= most;
  if (!isBound(max, 20) || !isBound(maxBytes, MOST_OF_ALL) || accept.length === 0) {
    throw new ToolDefinitionError(
      `attachment(…): max is 1 to 20 files, maxBytes 1 to ${MOST_OF_ALL} of all together, and accept has types such as image/* or application/pdf`,
    );
  }
  const limits: AttachmentLimits = { accept, max, maxBytes };
  const files = z
    .array(z.looseObject({ type: z.enum(['image', 'resource']) }))
    .min(1)
    .max(max)
    .superRefine((blocks, ctx) => {
      const problem = problemOf(blocks, limits);
      if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
    })
    .meta({ attachment: limits });
  // That they are blocks has been checked, beyond what the schema says.
  return files as never;
}

function problemOf(blocks: readonly unknown[], { accept, maxBytes }: AttachmentLimits): string | undefined {
  let bytes = 0;
  for (const block of blocks) {
    if (!isContentBlock(block) || (block.type !== 'image' && block.type !== 'resource'))
      return 'it is no file';
    const type = fileTypeOf(block);
    if (!isAccepted(accept, type))
      return `a file of the type ${type} is not accepted: only ${accept.join(', ')}`;
    if (!isPictureAsSaid(block)) return `a picture is not what it says, ${type}`;
    const size = bytesOf(block);
    if (size === undefined) return 'a file is not in base64';
    bytes += size;
  }
  return bytes > maxBytes ? `the files have ${bytes} bytes, and ${maxBytes} are the most` : undefined;
}
