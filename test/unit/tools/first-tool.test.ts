import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { ParleyError } from '#src/core/errors/errors.ts';
import { shippedTools } from '#src/tools/definitions.ts';
import { createFirstTool } from '#src/tools/first-tool/tool.ts';

/** Texts as they are, with what is put into them. */
const english = (text: string, ...values: string[]) =>
  text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');
const firstTool = createFirstTool(english);
const wishes = { kitchen: 'Italian', people: 3, outside: false };

describe('the first tool', () => {
  test('asks a question and the model, and says what came of both', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: wishes }],
      sampleResponses: ['Order the soup. '],
    });
    expect(await runMcpTool(firstTool, {}, client)).toBe(
      'Lunch for 3: Italian, inside.\n\nThe model adds: Order the soup.',
    );
  });

  test('goes on without a model', async () => {
    const client = createMockMcpClient({
      capabilities: { elicitation: { form: true } },
      elicitResponses: [{ action: 'accept', content: wishes }],
    });
    expect(await runMcpTool(firstTool, {}, client)).toContain('No language model was available');
  });

  test.each([
    ['SAMPLING_QUOTA', 'takes no more requests for now'],
    ['SAMPLING_REFUSED', 'was blocked or not allowed'],
    ['SAMPLING', 'could not be reached or failed'],
    ['SAMPLING_NO_MODEL', 'No language model was available'],
  ] as const)('names %s as why it has no tip', async (code, why) => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: wishes }],
      sampleResponses: [new ParleyError(code, 'no')],
    });
    expect(await runMcpTool(firstTool, {}, client)).toContain(why);
  });

  test('can be answered by one press: every field has a value', async () => {
    const client = createMockMcpClient({
      elicitResponses: ({ requestedSchema: { properties } }) => ({
        action: 'accept',
        content: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default])),
      }),
      sampleResponses: ['Go.'],
    });
    expect(await runMcpTool(firstTool, {}, client)).toContain('Lunch for 2: Thai, outside.');
  });

  test.each([
    ['decline', 'Declined'],
    ['cancel', 'Cancelled'],
  ] as const)('takes %s for an answer', async (action, said) => {
    const client = createMockMcpClient({ elicitResponses: [{ action }] });
    expect(await runMcpTool(firstTool, {}, client)).toContain(said);
  });

  test('has its title in the language of the person', () => {
    expect(createFirstTool((text) => `<${text}>`).def.title).toBe('<Plan lunch>');
  });

  test('says its result in the language of the person, and asks the model as it always does', async () => {
    const marked = createFirstTool((text, ...values) => `<${english(text, ...values)}>`);
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: wishes }],
      sampleResponses: ['Go.'],
    });
    expect(await runMcpTool(marked, {}, client)).toBe(
      '<Lunch for 3: <Italian>, inside.>\n\n<The model adds: Go.>',
    );
    expect(JSON.stringify(client.transcript)).toContain('Italian, 3 people, inside');
  });

  test('is for people: no agent is given it', () => {
    expect(shippedTools).not.toContain(firstTool);
  });
});
