import type { TemplateNames } from './template-names.ts';

/** A tool that asks nobody anything. */
export function plainSource({ name, variable }: TemplateNames): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const ${variable} = createMcpTool('${name}')
  .description('Counts the words of a text. A model reads this: say what the tool does and when to use it.')
  .parameters(z.object({ text: z.string().meta({ title: 'Text' }) }))
  .annotations({ readOnlyHint: true })
  .elicits({})
  .execute(function* ({ text }) {
    const words = text.split(/\\s+/).filter((word) => word !== '');
    return \`\${words.length} words\`;
  });
`;
}

/** Its test. */
export function plainTestSource({ name, variable }: TemplateNames): string {
  return `${testImports('runMcpTool')}
import { ${variable} } from '../tools/${name}.ts';

test('counts the words', async () => {
  assert.equal(await runMcpTool(${variable}, { text: 'one two  three' }), '3 words');
});
`;
}

/** The test of a tool that asks a question. */
export function questionTestSource({ name, variable }: TemplateNames): string {
  return `${testImports('createMockMcpClient, runMcpTool')}
import { ${variable} } from '../tools/${name}.ts';

test('greets in the language that was picked', async () => {
  const client = createMockMcpClient({
    elicitResponses: { language: { action: 'accept', content: { language: 'nl' } } },
  });
  assert.equal(await runMcpTool(${variable}, { name: 'Ada' }, client), 'Hallo, Ada!');
});

test('says so when the person does not want to', async () => {
  const client = createMockMcpClient({ elicitResponses: { language: { action: 'decline' } } });
  assert.equal(await runMcpTool(${variable}, { name: 'Ada' }, client), 'Nobody was greeted.');
});
`;
}

/** The first lines of every test: any runner will do, and Node's own needs no installation. */
export function testImports(kit: string): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${kit} } from 'parley-mcp/testing';`;
}
