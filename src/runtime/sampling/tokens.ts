import { blocksOf, type ContentBlock, type MessageContent } from '../../core/messages/content.ts';
import type { SampleAnswer, SampleAskRequest } from '../../core/tool/ask.ts';

/** Characters that make one token, about: right for English, low for scripts with more to a character. */
const CHARACTERS_PER_TOKEN = 4;
/** What an image or a sound is taken to cost; providers differ by their size, which is not known here. */
const TOKENS_PER_MEDIUM = 1000;
/** What a message costs beside its content. */
const TOKENS_PER_MESSAGE = 4;

/**
 * Tokens that a sampling used, request and answer together: as the client reports them, or estimated (characters / 4,
 * and 1,000 for each image or sound).
 */
export function tokensUsed(request: SampleAskRequest, answer: SampleAnswer): number {
  const input = answer.usage?.inputTokens ?? estimateRequest(request);
  const output = answer.usage?.outputTokens ?? estimateBlocks(blocksOf(answer));
  return input + output;
}

function estimateRequest(request: SampleAskRequest): number {
  let tokens = estimateText(request.systemPrompt ?? '');
  for (const message of request.messages) tokens += TOKENS_PER_MESSAGE + estimateBlocks(blocksOf(message));
  return request.tools ? tokens + estimateText(JSON.stringify(request.tools)) : tokens;
}

function estimateBlocks(blocks: readonly (MessageContent | ContentBlock)[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlock(block), 0);
}

function estimateBlock(block: MessageContent | ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateText(block.text);
    case 'image':
    case 'audio':
      return TOKENS_PER_MEDIUM;
    case 'tool_result':
      return estimateBlocks(block.content);
    case 'resource':
      return block.resource.blob === undefined ? estimateText(block.resource.text ?? '') : TOKENS_PER_MEDIUM;
    default:
      return estimateText(JSON.stringify(block));
  }
}

function estimateText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
