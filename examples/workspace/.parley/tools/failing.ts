import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** What an error looks like: the message says what to do, the cause says what happened, however deep. */
export const failing = createMcpTool('failing')
  .description('Fails, to show what a failing tool looks like. Call it only when the user asks for it.')
  .parameters(
    z.object({
      file: z.string().default('prices.json').meta({ title: 'File', description: 'It will not be found' }),
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Fail')
  .icon('error')
  .elicits({})
  .execute(function* ({ file }, ctx) {
    yield* ctx.log('warning', `about to fail on ${file}`);
    try {
      readPrices(file);
    } catch (cause) {
      throw new Error(`The prices are not available: check that ${file} exists, then try again.`, { cause });
    }
  });

function readPrices(file: string): never {
  try {
    throw Object.assign(new Error(`no such file: ${file}`), { code: 'ENOENT' });
  } catch (cause) {
    throw new Error(`${file} cannot be read`, { cause });
  }
}
