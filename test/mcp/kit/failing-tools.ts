import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Fails with more than text. */
export const shows = createMcpTool('shows')
  .description('Fails, and shows how')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return {
      content: [
        { type: 'text', text: 'it looks so:' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      structuredContent: { at: 3 },
      _meta: { 'com.example/try': 1 },
      isError: true,
    };
  });
