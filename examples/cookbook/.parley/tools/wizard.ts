import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const next = z
  .enum(['next', 'back'])
  .default('next')
  .meta({ title: 'Then', enumNames: ['Continue', 'Back'] });
const pages = {
  region: z.object({ region: z.enum(['eu', 'us']).default('eu').meta({ title: 'Region' }) }),
  size: z.object({ size: z.int().min(1).max(64).default(2).meta({ title: 'Gigabytes' }), next }),
  name: z.object({ name: z.string().min(1).meta({ title: 'Name' }), next }),
};
const keys = ['region', 'size', 'name'] as const;

export const createDatabase = createMcpTool('create_database')
  .description('Creates a database. Asks the user for region, size and name, page by page.')
  .parameters(z.object({}))
  .elicits(pages)
  .execute(function* (_, ctx) {
    const given: { -readonly [key in keyof typeof pages]?: object } = {};
    for (let page = 0; page < keys.length; ) {
      const key = keys[page] ?? 'region';
      const { next = 'next', ...values }: { next?: string; [field: string]: unknown } =
        yield* ctx.elicit.strict(key, {
          message: `Page ${page + 1} of ${keys.length}`,
          values: given[key] ?? {},
        });
      given[key] = values;
      page += next === 'back' ? -1 : 1;
    }
    return { ...given.region, ...given.size, ...given.name };
  });
