import { createMcpPrompt } from 'parley-mcp';
import * as z from 'zod';
import { PNG } from './shared/samples.ts';

export const simple = createMcpPrompt('test_simple_prompt')
  .description('A prompt without arguments')
  .arguments(z.object({}))
  .elicits({})
  .messages(function* () {
    return 'This is a simple prompt for testing.';
  });

export const withArguments = createMcpPrompt('test_prompt_with_arguments')
  .description('A prompt with two arguments')
  .arguments(z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') }))
  .completes({ arg1: ['test one', 'test two', 'another'] })
  .elicits({})
  .messages(function* ({ arg1, arg2 }) {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  });

export const withResource = createMcpPrompt('test_prompt_with_embedded_resource')
  .description('A prompt that carries a resource')
  .arguments(z.object({ resourceUri: z.string().describe('URI of the resource') }))
  .elicits({})
  .messages(function* ({ resourceUri }) {
    const resource = {
      uri: resourceUri,
      mimeType: 'text/plain',
      text: 'Embedded resource content for testing.',
    };
    return [
      { role: 'user', content: { type: 'resource', resource } },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ];
  });

export const withImage = createMcpPrompt('test_prompt_with_image')
  .description('A prompt that carries an image')
  .arguments(z.object({}))
  .elicits({})
  .messages(function* () {
    return [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ];
  });

export const asking = createMcpPrompt('test_input_required_result_prompt')
  .description('A prompt that asks what it is about')
  .arguments(z.object({}))
  .elicits({ user_context: z.object({ context: z.string() }) })
  .messages(function* (_args, ctx) {
    const answer = yield* ctx.elicit('user_context', { message: 'What context should the prompt use?' });
    return answer.action === 'accept' ? `Use this context: ${answer.content.context}` : 'Use no context.';
  });
