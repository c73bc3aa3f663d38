import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const nothing = z.object({});

export const sampling = createMcpTool('test_sampling')
  .description('Asks the model of the client')
  .parameters(z.object({ prompt: z.string().describe('What to ask') }))
  .elicits({})
  .execute(function* ({ prompt }, ctx) {
    const { text } = yield* ctx.sample({ prompt, maxTokens: 100 });
    return `LLM response: ${text}`;
  });

export const elicitation = createMcpTool('test_elicitation')
  .description('Asks the user')
  .parameters(z.object({ message: z.string().describe('What to ask') }))
  .elicits({
    user: z.object({
      username: z.string().describe("User's response"),
      email: z.string().describe("User's email address"),
    }),
  })
  .execute(function* ({ message }, ctx) {
    const answer = yield* ctx.elicit('user', { message });
    const content = answer.action === 'accept' ? answer.content : {};
    return `User response: action: ${answer.action}, content: ${JSON.stringify(content)}`;
  });

export const defaults = createMcpTool('test_elicitation_sep1034_defaults')
  .description('Asks with defaults of every kind')
  .parameters(nothing)
  .elicits({
    form: z.object({
      name: z.string().default('John Doe'),
      age: z.int().default(30),
      score: z.number().default(95.5),
      status: z.enum(['active', 'inactive', 'pending']).default('active'),
      verified: z.boolean().default(true),
    }),
  })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit('form', { message: 'Please fill in the form' });
    const content = answer.action === 'accept' ? answer.content : {};
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(content)}`;
  });

const options = ['option1', 'option2', 'option3'] as const;
const values = ['value1', 'value2', 'value3'] as const;

export const enums = createMcpTool('test_elicitation_sep1330_enums')
  .description('Asks with choices of every kind')
  .parameters(nothing)
  .elicits({
    choices: z.object({
      untitledSingle: z.enum(options),
      titledSingle: z.enum(values).meta({ enumNames: ['First Option', 'Second Option', 'Third Option'] }),
      legacyEnum: z
        .enum(['opt1', 'opt2', 'opt3'])
        .meta({ legacyEnumNames: ['Option One', 'Option Two', 'Option Three'] }),
      untitledMulti: z.array(z.enum(options)),
      titledMulti: z.array(
        z.enum(values).meta({ enumNames: ['First Choice', 'Second Choice', 'Third Choice'] }),
      ),
    }),
  })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit('choices', { message: 'Please choose' });
    const content = answer.action === 'accept' ? answer.content : {};
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(content)}`;
  });
