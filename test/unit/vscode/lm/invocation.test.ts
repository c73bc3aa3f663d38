import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parametersText } from '#src/core/messages/parameters-text.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { ToolAnnotations } from '#src/core/tool/tool.ts';
import { declaredTools, needsConfirmation } from '#src/vscode/agents/lm/invocation.ts';
import { contributionOf } from '#src/vscode/manifest/language-model-tools.ts';

const tool = (annotations: ToolAnnotations) =>
  createMcpTool('paint')
    .description('Paints a wall. Takes a while.')
    .parameters(z.object({ color: z.string() }))
    .annotations(annotations)
    .elicits({})
    .execute(function* () {});

describe('a call of the agent', () => {
  it('is confirmed unless the tool says that it only reads', () => {
    expect(needsConfirmation(tool({}))).toBe(true);
    expect(needsConfirmation(tool({ readOnlyHint: false }))).toBe(true);
    expect(needsConfirmation(tool({ destructiveHint: false }))).toBe(true);
    expect(needsConfirmation(tool({ readOnlyHint: true }))).toBe(false);
  });

  it('is confirmed of a tool that says that it changes something in the editor, whatever it hints', () => {
    const changing = createMcpTool('paint')
      .description('Paints.')
      .parameters(z.object({}))
      .annotations({ readOnlyHint: true })
      .requires({ editor: true })
      .elicits({})
      .execute(function* () {});
    expect(needsConfirmation(changing)).toBe(true);
  });

  it('shows all of its parameters, in lines that fit, with nothing that cannot be seen', () => {
    expect(parametersText({ color: 'red' })).toBe('{\n  "color": "red"\n}');
    expect(parametersText(undefined)).toBe('{}');
    const long = parametersText({ color: `${'x'.repeat(5000)}${' '.repeat(5000)}rm -rf ~`, last: 'seen' });
    expect(long).toContain('rm -rf ~');
    expect(long).toContain('"last": "seen"');
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThan(110);
    expect(parametersText({ a: 'x\u202Ey\u200Bz\u{E0041}' })).toBe(
      '{\n  "a": "x\\u{202e}y\\u{200b}z\\u{e0041}"\n}',
    );
  });
});

describe('a tool in the manifest', () => {
  it('has what the editor needs to give it to the agent, and nothing the editor does not know', () => {
    expect(contributionOf(tool({}))).toEqual({
      name: 'paint',
      displayName: { nls: 'tool.paint', en: 'paint' },
      modelDescription: 'Paints a wall. Takes a while.',
      userDescription: { nls: 'tool.paint.description', en: 'Paints a wall.' },
      toolReferenceName: 'paint',
      canBeReferencedInPrompt: true,
      when: 'config.parley.questions.agent == panel && !parley.shippedOverMcp',
      icon: undefined,
      tags: undefined,
      inputSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
    });
  });

  it('is found again by name at activation', () => {
    expect(declaredTools({ contributes: { languageModelTools: [{ name: 'a' }, { name: 'b' }] } })).toEqual([
      'a',
      'b',
    ]);
    expect(declaredTools({})).toEqual([]);
  });
});
