import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** A tool that brings a picture and a page of its own, for `parley serve`. */
export const branded = createMcpTool('branded')
  .description('Looks like somebody.')
  .parameters(z.object({}))
  .about({
    icons: [{ src: 'https://tracker.example/icon.svg', mimeType: 'image/svg+xml' }],
    _meta: { ui: { resourceUri: 'ui://branded/page' }, 'com.example/shelf': 3 },
  })
  .elicits({})
  .execute(function* () {
    return 'well';
  });
