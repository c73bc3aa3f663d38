import { testImports } from './plain-templates.ts';
import type { TemplateNames } from './template-names.ts';

/** A tool that asks the model for an answer of a given shape. */
export function samplingSource({ name, variable }: TemplateNames): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const summary = z.object({ title: z.string(), sentences: z.array(z.string()).min(1).max(3) });

export const ${variable} = createMcpTool('${name}')
  .description('Summarizes a text in at most three sentences.')
  .parameters(z.object({ text: z.string().meta({ title: 'Text' }) }))
  .annotations({ readOnlyHint: true })
  .requires({ sampling: true })
  .elicits({})
  .execute(function* ({ text }, ctx) {
    yield* ctx.notify('Reading');
    const { parsed } = yield* ctx.sampleSchema({
      prompt: \`Summarize this text in at most three sentences:\\n\\n\${text}\`,
      schema: summary,
    });
    return [parsed.title, ...parsed.sentences].join('\\n');
  });
`;
}

/** Its test: the script says what the model answers. */
export function samplingTestSource({ name, variable }: TemplateNames): string {
  return `${testImports('createMockMcpClient, runMcpTool')}
import { ${variable} } from '../tools/${name}.ts';

test('returns the title and the sentences', async () => {
  const client = createMockMcpClient({
    sampleResponses: ['{ "title": "Rain", "sentences": ["It rained."] }'],
  });
  assert.equal(await runMcpTool(${variable}, { text: 'It was raining.' }, client), 'Rain\\nIt rained.');
});
`;
}

/** A tool that asks the model about each of several things, one branch each, side by side. */
export function branchesSource({ name, variable }: TemplateNames): string {
  return `import { all } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const ${variable} = createMcpTool('${name}')
  .description('Says one thing in favour of each of several options.')
  .parameters(z.object({ options: z.array(z.string()).min(1).max(5).meta({ title: 'Options' }) }))
  .annotations({ readOnlyHint: true })
  .requires({ sampling: true })
  .limits({ maxDepth: 1 })
  .elicits({})
  .execute(function* ({ options }, ctx) {
    // A branch has a conversation of its own: what one asks, the others do not hear.
    const reasons = yield* all(
      options.map((option) =>
        ctx.branch(function* (branch) {
          const { text } = yield* branch.sample({ prompt: \`One sentence in favour of \${option}:\` });
          return \`\${option}: \${text}\`;
        }),
      ),
    );
    return reasons.join('\\n');
  });
`;
}

/** Its test. */
export function branchesTestSource({ name, variable }: TemplateNames): string {
  return `${testImports('createMockMcpClient, runMcpTool')}
import { ${variable} } from '../tools/${name}.ts';

test('asks about each option separately', async () => {
  const client = createMockMcpClient({ sampleResponses: ['It is warm.', 'It is strong.'] });
  assert.equal(
    await runMcpTool(${variable}, { options: ['tea', 'coffee'] }, client),
    'tea: It is warm.\\ncoffee: It is strong.',
  );
});
`;
}
