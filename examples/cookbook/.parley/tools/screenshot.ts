import { attachment, createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const pictures = attachment({ accept: ['image/png', 'image/jpeg'], max: 3 }).optional();

export const reportBug = createMcpTool('report_bug')
  .description('Asks the user what is wrong, and for screenshots of it.')
  .parameters(z.object({}))
  .elicits({
    bug: z.object({
      what: z.string().min(1).meta({ title: 'What is wrong', multiline: true }),
      pictures: pictures.meta({ title: 'Screenshots' }),
    }),
  })
  .execute(function* (_, ctx) {
    const bug = yield* ctx.elicit.strict('bug', { message: 'What do you see?' });
    return [{ type: 'text', text: bug.what }, ...(bug.pictures ?? [])];
  });
