import type { MessageContent } from '../../../core/messages/content.ts';
import type { SampleAnswer } from '../../../core/tool/ask.ts';
import { toolUse } from '../../../core/tool/tool-input.ts';
import type { LmPart } from './parts.ts';

/** Puts a streamed answer together. */
export interface Collector {
  /** Adds a part. True when the answer is complete although the model goes on: a stop sequence was met. */
  add(part: LmPart): boolean;
  answer(model: string): SampleAnswer;
}

/**
 * Collects one answer. Stop sequences are held to here, because providers take one at most. One block of text is given
 * as a block, everything else as an array (MCP clients of the older SDK refuse an array for plain text).
 */
export function createCollector(stopSequences: readonly string[] = []): Collector {
  const stops = stopSequences.filter((stop) => stop !== '');
  const longest = Math.max(0, ...stops.map((stop) => stop.length));
  const others: MessageContent[] = [];
  let text = '';
  let stopped = false;

  return {
    add(part) {
      if (stopped) return true;
      if (part.type === 'text') {
        const from = Math.max(0, text.length - longest);
        text += part.text;
        const cut = firstOf(text, stops, from);
        if (cut !== undefined) {
          text = text.slice(0, cut);
          stopped = true;
        }
      } else if (part.type === 'call') {
        const { id, name, input } = part;
        const use = toolUse(textIn(id), textIn(name), input);
        others.push({ ...use, input: { ...use.input } });
      } else if (part.type === 'data' && part.mimeType.startsWith('image/')) {
        others.push({
          type: 'image',
          data: Buffer.from(part.bytes).toString('base64'),
          mimeType: part.mimeType,
        });
      }
      return stopped;
    },
    answer(model) {
      const used = others.some((block) => block.type === 'tool_use');
      return {
        role: 'assistant',
        content:
          others.length === 0
            ? { type: 'text', text }
            : [...(text === '' ? [] : [{ type: 'text', text } as const]), ...others],
        model,
        stopReason: used ? 'toolUse' : stopped ? 'stopSequence' : 'endTurn',
      };
    },
  };
}

/** Ids and names are what a provider makes of them. */
function textIn(given: unknown): string {
  return typeof given === 'string' ? given : String(given ?? '');
}

function firstOf(text: string, stops: readonly string[], from: number): number | undefined {
  const found = stops.map((stop) => text.indexOf(stop, from)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}
