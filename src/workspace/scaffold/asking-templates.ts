import { testImports } from './plain-templates.ts';
import type { TemplateNames } from './template-names.ts';

/** A tool that asks one question, in a form. */
export function questionSource({ name, variable }: TemplateNames): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const GREETINGS = { en: 'Hello', nl: 'Hallo', pt: 'Olá' };

export const ${variable} = createMcpTool('${name}')
  .description('Greets a person in a language that the user chooses.')
  .parameters(z.object({ name: z.string().meta({ title: 'Name' }) }))
  // A tool that changes nothing says so: its open question is kept when the window reloads. One that does, says .durable().
  .annotations({ readOnlyHint: true })
  .elicits({
    language: z.object({
      language: z
        .enum(['en', 'nl', 'pt'])
        .default('en')
        .meta({ title: 'Language', enumNames: ['English', 'Dutch', 'Portuguese'] }),
    }),
  })
  .execute(function* ({ name }, ctx) {
    const answer = yield* ctx.elicit('language', { message: \`In which language shall I greet \${name}?\` });
    if (answer.action !== 'accept') return 'Nobody was greeted.';
    return \`\${GREETINGS[answer.content.language]}, \${name}!\`;
  });
`;
}

/** A tool whose question is answered in a view. It knows nothing of the view: other clients show a form. */
export function viewToolSource({ name, variable }: TemplateNames): string {
  return `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const ${variable} = createMcpTool('${name}')
  .description('Lets the user pick one of several options.')
  .parameters(z.object({ options: z.array(z.string()).min(1).meta({ title: 'Options' }) }))
  // A tool that changes nothing says so: its open question is kept when the window reloads. One that does, says .durable().
  .annotations({ readOnlyHint: true })
  .elicits({
    pick: {
      response: z.object({ option: z.string().meta({ title: 'Option' }) }),
      context: z.object({ options: z.array(z.string()) }),
    },
  })
  .execute(function* ({ options }, ctx) {
    const answer = yield* ctx.elicit('pick', { message: 'Which one?', options });
    return answer.action === 'accept' ? \`The user picked \${answer.content.option}.\` : 'Nothing was picked.';
  });
`;
}

/** What joins that tool and its view. */
export function pluginSource({ name, variable, component }: TemplateNames): string {
  return `import { makePlugin, view } from 'parley-mcp';
import { ${variable} } from './${name}.ts';
import { ${component} } from './${name}.view.tsx';

export const ${variable}Plugin = makePlugin(${variable})
  .onElicit({
    pick: view(${component}, ({ options }) => ({ options })),
  })
  .build();
`;
}

/** The view itself. */
export function viewSource({ component }: TemplateNames): string {
  return `import type { ViewProps } from 'parley-mcp/webview';

type Props = ViewProps<{ options: readonly string[] }, string>;

/** The message is already shown above it. */
export function ${component}({ options, onRespond }: Props) {
  return (
    <div className="p-stack">
      {options.map((option) => (
        <button type="button" className="p-choice" key={option} onClick={() => onRespond(option)}>
          {option}
        </button>
      ))}
    </div>
  );
}
`;
}

/** The tests of the tool, by any client's form, and of its view: what the person picks is in the script, whatever it looks like. */
export function viewTestSource({ name, variable, component }: TemplateNames): string {
  return `${testImports('createMockMcpClient, runMcpTool')}
import { ${variable}Plugin } from '../tools/${name}.plugin.ts';
import { ${variable} } from '../tools/${name}.ts';

const options = ['tea', 'coffee'];

test('says what was picked', async () => {
  const client = createMockMcpClient({
    elicitResponses: { pick: { action: 'accept', content: { option: 'tea' } } },
  });
  assert.equal(await runMcpTool(${variable}, { options }, client), 'The user picked tea.');
});

test('hands the options to the picker', async () => {
  const client = createMockMcpClient({ viewResponses: { ${component}: 'coffee' } });
  assert.equal(await runMcpTool(${variable}Plugin, { options }, client), 'The user picked coffee.');
  const shown = client.transcript.find(({ type }) => type === 'view');
  assert.deepEqual(shown?.type === 'view' && shown.props, { options });
});
`;
}
