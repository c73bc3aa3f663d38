import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Every kind of field that a form can have. It has no handler, so every surface shows its own form for it. */
export const fieldKinds = createMcpTool('field_kinds')
  .description('Asks the user one question with every kind of field a form can have, and returns the answer.')
  .parameters(z.object({}))
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Show every kind of field')
  .icon('list-selection')
  .requires({ elicitation: true })
  .elicits({
    everything: z.object({
      name: z.string().min(2).max(40).meta({ title: 'Name', description: 'As in your passport' }),
      nickname: z.string().optional().meta({ title: 'Nickname', description: 'Text that may stay empty' }),
      email: z.email().meta({ title: 'Email' }),
      website: z.url().optional().meta({ title: 'Website' }),
      birthday: z.iso.date().optional().meta({ title: 'Birthday', description: 'A date' }),
      meeting: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ title: 'Meeting', description: 'Date and time' }),
      seats: z.int().min(1).max(9).default(2).meta({ title: 'Seats', description: 'A whole number, 1 to 9' }),
      budget: z.number().min(0).optional().meta({ title: 'Budget', description: 'A number' }),
      newsletter: z.boolean().default(false).meta({ title: 'Newsletter' }),
      size: z.enum(['small', 'medium', 'large']).meta({ title: 'Size', description: 'One choice' }),
      meal: z
        .enum(['veg', 'fish', 'meat'])
        .default('veg')
        .meta({
          title: 'Meal',
          description: 'One choice whose values have names',
          enumNames: ['Vegetarian', 'Fish', 'Meat'],
        }),
      days: z
        .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri']))
        .min(1)
        .max(3)
        .meta({ title: 'Days', description: 'One to three choices' }),
      extras: z
        .array(z.enum(['wifi', 'lounge', 'bag']).meta({ enumNames: ['Wi-Fi', 'Lounge', 'Extra bag'] }))
        .default(['wifi'])
        .meta({ title: 'Extras', description: 'Any number of choices whose values have names' }),
    }),
  })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('everything', { message: 'Fill in one field of every kind' });
    if (answer.action !== 'accept') return { answer: answer.action };
    return { answer: answer.action, ...answer.content };
  });
