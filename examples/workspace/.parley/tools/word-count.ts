import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A tool that asks nobody: a calculation with a checked result. */
export const wordCount = createMcpTool('word_count')
  .description('Counts the characters, words, sentences and lines of a text, and estimates the reading time.')
  .parameters(z.object({ text: z.string().meta({ title: 'Text', description: 'Any language' }) }))
  .output(
    z.object({
      characters: z.int(),
      words: z.int(),
      sentences: z.int(),
      lines: z.int(),
      readingMinutes: z.number(),
    }),
  )
  .annotations({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
  .title('Count words')
  .icon('symbol-string')
  .summary('Counts the words of a text, and says how long it takes to read.')
  .editor({ accepts: 'selection' })
  .elicits({})
  .execute(function* ({ text }) {
    const words = count(text, 'word', ({ isWordLike }) => isWordLike === true);
    return {
      // As a person counts: an emoji of several code points is one character.
      characters: count(text, 'grapheme'),
      words,
      sentences: count(text, 'sentence', ({ segment }) => segment.trim() !== ''),
      lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
      readingMinutes: Math.round((words / 230) * 10) / 10,
    };
  });

function count(
  text: string,
  granularity: 'grapheme' | 'word' | 'sentence',
  counts: (segment: Intl.SegmentData) => boolean = () => true,
): number {
  const segments = new Intl.Segmenter(undefined, { granularity }).segment(text);
  return Array.from(segments).filter(counts).length;
}
