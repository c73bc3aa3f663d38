import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
import { PNG, WAV } from './shared/samples.ts';

const nothing = z.object({});

export const simpleText = createMcpTool('test_simple_text')
  .description('Returns a fixed text')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    return 'This is a simple text response for testing.';
  });

export const imageContent = createMcpTool('test_image_content')
  .description('Returns an image')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    return { type: 'image', data: PNG, mimeType: 'image/png' };
  });

export const audioContent = createMcpTool('test_audio_content')
  .description('Returns a sound')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    return { type: 'audio', data: WAV, mimeType: 'audio/wav' };
  });

export const embeddedResource = createMcpTool('test_embedded_resource')
  .description('Returns a resource inline')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    const text = 'This is an embedded resource content.';
    return { type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text } };
  });

export const mixedContent = createMcpTool('test_multiple_content_types')
  .description('Returns text, an image and a resource')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    const resource = {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: JSON.stringify({ test: 'data', value: 123 }),
    };
    return [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource },
    ];
  });

export const failing = createMcpTool('test_error_handling')
  .description('Always fails')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    throw new Error('This tool intentionally returns an error for testing');
  });
