import { blocksOf } from '../../core/messages/content.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { embeddedJson } from './json-in-text.ts';

const NAME = '(?:seed:|ant_?)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad)';
/** Where thinking ends, by how it began: in a tag, or in a channel of its own. */
const TAG_END = String.raw`<\/${NAME}\s*>|\[\/THINK\]|◁\/think▷|<\|(?:\/|END_|end_of_)${NAME}\|>|<unused95>`;
const CHANNEL_END = String.raw`<\|(?:end|call|return)\|>|<channel\|>|(?=<\|(?:start|channel)\|?>)`;
const TAG = String.raw`<${NAME}(?:\s[^<>\n]*)?>|\[THINK\](?!\()|◁think▷|<\|(?:START_|begin_of_)?${NAME}\|>|<unused94>`;
const CHANNEL = String.raw`<\|channel\|?>(?!\s*final)`;
/** What frames an answer that has channels. */
const FRAME = String.raw`<\|channel\|?>\s*final[^<\n]*(?:<\|constrain\|>[^<\n]*)?(?:<\|message\|>)?|<\|start\|>\s*assistant|${CHANNEL_END.split('|(?=')[0]}`;
/** Code shows what it is about: a tag in it is none. */
const CODE = '^[ \\t]*(?<fence>```|~~~)[\\s\\S]*?(?:^[ \\t]*\\k<fence>[ \\t]*$|$(?![\\s\\S]))|`[^`\\n]+`';

/** The thinking of a model whose special tokens a server dropped. */
const BARE_CHANNELS = /^\s*analysis[\s\S]*assistant\s?final/;

/**
 * A text without the thinking that some models put into it; thinking that never ends goes on to the end, and what ends without a
 * beginning began with the text. What only mentions a tag, in code or in JSON, stays.
 *
 * @example
 * withoutThinking('<think>maybe {"n":9}</think>{"n":1}') // '{"n":1}'
 */
export function withoutThinking(given: string): string {
  const text = given.replace(BARE_CHANNELS, '');
  const mark = new RegExp(
    `(?<code>${CODE})|(?<end>${TAG_END})|(?<tag>${TAG})|(?<channel>${CHANNEL})|${FRAME}`,
    'gim',
  );
  let json: ReturnType<typeof embeddedJson> | undefined;
  let value: { readonly start: number; readonly end: number } | undefined;
  let kept = '';
  let from = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const { code, end, tag, channel } = found.groups ?? {};
    if (code !== undefined) continue;
    json ??= embeddedJson(text);
    while (!value || value.end <= found.index) {
      const { value: next, done } = json.next();
      value = done ? { start: text.length, end: text.length + 1 } : next;
    }
    if (value.start < found.index) {
      mark.lastIndex = value.end;
      continue;
    }
    kept = end === undefined ? kept + text.slice(from, found.index) : '';
    if (tag !== undefined || channel !== undefined) {
      const close = new RegExp(tag === undefined ? CHANNEL_END : TAG_END, 'gi');
      close.lastIndex = mark.lastIndex;
      const closed = close.exec(text);
      mark.lastIndex = closed ? closed.index + closed[0].length : text.length;
    }
    from = mark.lastIndex;
  }
  const rest = kept + text.slice(from);
  return rest.length === given.length ? given : rest.trim();
}

/** An answer whose text is without thinking. */
export function answerWithoutThinking(answer: SampleAnswer): SampleAnswer {
  const blocks = blocksOf(answer).map((block) =>
    block.type === 'text' ? { ...block, text: withoutThinking(block.text) } : block,
  );
  if (!Array.isArray(answer.content)) return { ...answer, content: blocks[0] ?? answer.content };
  return { ...answer, content: blocks.filter((block) => block.type !== 'text' || block.text !== '') };
}
