import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AskedCall } from '#src/code/approval/word.ts';
import { messageFor } from '#src/code/approval/words.ts';
import { createExecuteCode, type ExecuteCodeParts } from '#src/code/execute-code.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { JsonValue } from '#src/core/messages/json.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { ElicitAsk } from '#src/runtime/session/ask.ts';
import { shippedTools } from '#src/tools/definitions.ts';
import { createFirstTool } from '#src/tools/index.ts';
import { shownAsk, shownParameters } from '#src/vscode/calls/shipped/shipped-questions.ts';
import { takeWords } from '#src/vscode/calls/shipped/shipped-words.ts';

/** A language in which every text is marked. */
const t = (text: string, ...values: string[]) =>
  `<${text.replaceAll(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '')}>`;

const executeCode: AnyTool = createExecuteCode({} as ExecuteCodeParts);

const toolNamed = (name: string): AnyTool => {
  const tool = [...shippedTools, executeCode].find((one) => one.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return tool;
};

const firstTool = createFirstTool((text) => text);
takeWords([...shippedTools, firstTool, executeCode], {});

const asks = (message: string, requestedSchema: object = { type: 'object', properties: {} }) =>
  ({ kind: 'elicit', id: 'e1', request: { message, requestedSchema } }) as unknown as ElicitAsk;
const said = (tool: string, message: string) => shownAsk(toolNamed(tool), asks(message), t).request.message;

/** All texts for people in a schema. */
function textsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema as Record<string, JsonValue>).flatMap(([key, value]) => {
    if (key === 'enumNames') return value as readonly string[];
    if ((key === 'title' || key === 'description') && typeof value === 'string') return [value];
    return textsOf(value);
  });
}

describe('questions of the tools that come with Parley', () => {
  const asking = [...shippedTools.filter(({ name }) => name !== 'ask_user'), firstTool, executeCode];

  it.each(asking.map((tool) => [tool.name, tool] as const))(
    '%s says no title of a field but in the language of the editor',
    (_, tool) => {
      const schemas = Object.values(tool.def.elicits).map(({ json }) => json);
      const texts = schemas.flatMap((schema) =>
        textsOf((shownAsk(tool, asks('', schema), t).request as { requestedSchema: object }).requestedSchema),
      );
      const parameters = textsOf(shownParameters(tool, t));
      expect([...texts, ...parameters].filter((text) => !text.startsWith('<'))).toEqual([]);
      expect(texts.length + parameters.length).toBeGreaterThan(0);
    },
  );

  it('are in it with what the tool puts into them', () => {
    expect(said('commit_changes', 'Choose the files to commit on main')).toBe(
      '<Choose the files to commit on main>',
    );
    expect(said('commit_changes', 'No 9. Choose the files to commit on main')).toBe(
      'No 9. <Choose the files to commit on main>',
    );
    expect(said('commit_changes', 'Commit 2 files')).toBe('<Commit 2 files>');
    const purpose = 'A model will draft the commit message.';
    expect(said('commit_changes', `This may contain secrets: a.env (its name). ${purpose}`)).toBe(
      `<This may contain secrets: a.env (its name). <${purpose}>>`,
    );
    const one = { tool: { name: 'drop', def: { title: 'Drop' } }, args: {} } as unknown as AskedCall;
    const other = (at: number) =>
      ({ tool: { name: `t${at}`, def: { title: `T${at}` } }, args: {} }) as unknown as AskedCall;
    expect(said('execute_code', messageFor([one]))).toBe(
      '<Code from the model wants to call “Drop”, which can make changes. Allow it?>',
    );
    expect(said('execute_code', messageFor([one, other(1)]))).toBe(
      '<Code from the model wants to make 2 calls that can make changes: Drop, T1. Clear the calls to refuse.>',
    );
    expect(said('execute_code', messageFor([one, other(1), other(2), other(3)]))).toBe(
      '<Code from the model wants to make 4 calls that can make changes: <Drop, T1, T2 and others>. Clear the calls to refuse.>',
    );
    expect(said('commit_changes', 'src/a.ts: a name is missing')).toBe('src/a.ts: a name is missing');
  });

  it('leave alone what an agent says, what answers them, and the tool itself', () => {
    const schema = {
      type: 'object',
      action: 'Commit',
      properties: {
        Files: { type: 'string', title: 'Files', enum: ['Files'], default: 'Files' },
        Files_note: { type: 'string', title: 'Add a comment on “Files”', noteOn: 'Files' },
      },
    };
    const ask = asks('Comments', schema);
    const before = structuredClone(ask);
    const { request } = shownAsk(toolNamed('ask_user'), ask, t);
    expect(request).toMatchObject({
      message: 'Comments',
      requestedSchema: {
        action: 'Commit',
        properties: {
          Files: { title: 'Files', enum: ['Files'], default: 'Files' },
          Files_note: { title: '<Add a comment on “Files”>' },
        },
      },
    });
    const other = shownAsk(toolNamed('commit_changes'), ask, t).request as { requestedSchema: object };
    expect(other.requestedSchema).toMatchObject({
      action: '<Commit>',
      properties: { Files: { title: '<Files>', enum: ['Files'], default: 'Files' } },
    });
    expect(ask).toEqual(before);
  });

  it('name the values of choices in it, which still answer them', () => {
    const schema = {
      type: 'object',
      properties: { decision: { type: 'string', enum: ['Approve', 'other'] } },
    };
    const { request } = shownAsk(toolNamed('review_plan'), asks('', schema), t);
    expect(request).toMatchObject({
      requestedSchema: {
        properties: { decision: { enum: ['Approve', 'other'], enumNames: ['<Approve>', 'other'] } },
      },
    });
  });

  it('have what an agent calls them above what it asks', () => {
    const ask = asks('License\n\nWhich one?');
    const shownWith = (params: unknown) => shownAsk(toolNamed('ask_user'), ask, t, params).request.message;
    expect(shownWith({ title: 'License' })).toBe('# License\n\nWhich one?');
    expect(shownWith({})).toBe('License\n\nWhich one?');
    expect(shownWith({ title: 7 })).toBe('License\n\nWhich one?');
    expect(shownWith({ title: 'Another' })).toBe('License\n\nWhich one?');
  });

  it('of a tool of the same name are as it says them', () => {
    const namesake = createMcpTool('commit_changes')
      .description('Mine.')
      .parameters(z.object({ message: z.string().meta({ title: 'Message' }) }))
      .elicits({})
      .execute(function* () {
        return 1;
      });
    const ask = asks('Commit 2 files');
    expect(shownAsk(namesake, ask, t)).toBe(ask);
    expect(textsOf(shownParameters(namesake, t))).toEqual(['Message']);
  });
});
