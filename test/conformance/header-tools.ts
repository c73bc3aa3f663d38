import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const regional = createMcpTool('test_custom_header')
  .description('Says for which region it was called')
  .parameters(z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }))
  .elicits({})
  .execute(function* ({ region }) {
    return `called for ${region}`;
  });
