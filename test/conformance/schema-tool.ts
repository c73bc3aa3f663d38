import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const address = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } };

export const jsonSchema = createMcpTool('json_schema_2020_12_tool')
  .description('Tool with JSON Schema 2020-12 features')
  .parameters(
    z
      .strictObject({
        name: z.string().optional(),
        address: z.object({ street: z.string().optional(), city: z.string().optional() }).optional(),
        contactMethod: z.enum(['phone', 'email']).optional(),
        phone: z.string().optional(),
        email: z.string().optional(),
      })
      .meta({
        $defs: { address: { $anchor: 'addressDef', ...address } },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
      }),
  )
  .elicits({})
  .execute(function* () {
    return 'valid';
  });
