import { describe, expect, it } from 'vitest';
import type { ClientCapabilities } from '#src/core/tool/context.ts';
import type { Ask } from '#src/runtime/session/ask.ts';
import { canAnswer } from '#src/runtime/session/capabilities.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { type CallerKind, chooseSurface } from '#src/vscode/agents/mcp/choose-surface.ts';
import type { QuestionSurface } from '#src/vscode/ids.ts';

const everything: ClientCapabilities = {
  elicitation: { form: true },
  sampling: { tools: true },
  roots: true,
};

const client = (name: string, capabilities: ClientCapabilities): Client => ({
  name,
  capabilities: () => capabilities,
  can: (ask) => canAnswer(capabilities, ask),
});

const asks = {
  elicit: { kind: 'elicit', request: {} },
  sample: { kind: 'sample', request: {} },
  tools: { kind: 'sample', request: { tools: [] } },
  roots: { kind: 'roots', request: {} },
} as unknown as Record<'elicit' | 'sample' | 'tools' | 'roots', Ask>;

function who(
  kind: CallerKind,
  surface: QuestionSurface,
  wire: ClientCapabilities,
  ask: keyof typeof asks,
): string | undefined {
  const choice = { elicitation: surface, sampling: surface };
  const composed = chooseSurface(kind, choice, client('wire', wire), client('editor', everything));
  const picked = composed.can(asks[ask]) ? composed.pick?.(asks[ask]) : undefined;
  return picked?.name;
}

describe('who answers a call that came over MCP', () => {
  it.each(['elicit', 'sample', 'tools', 'roots'] as const)(
    'by itself: the editor for %s of its own Copilot, whatever Copilot could do',
    (ask) => {
      expect(who('copilot', 'auto', everything, ask)).toBe('editor');
    },
  );

  it.each(['elicit', 'sample', 'tools', 'roots'] as const)(
    'by itself: another client for %s where it can, else the editor',
    (ask) => {
      expect(who('external', 'auto', everything, ask)).toBe('wire');
      expect(who('external', 'auto', {}, ask)).toBe('editor');
    },
  );

  it('completes a client feature by feature', () => {
    const samplesText = { sampling: { tools: false } };
    expect(who('external', 'auto', samplesText, 'sample')).toBe('wire');
    expect(who('external', 'auto', samplesText, 'tools')).toBe('editor');
    expect(who('external', 'auto', samplesText, 'elicit')).toBe('editor');
  });

  it.each(['copilot', 'external'] as const)('is the editor for %s when the setting says so', (kind) => {
    expect(who(kind, 'editor', everything, 'elicit')).toBe('editor');
    expect(who(kind, 'editor', everything, 'sample')).toBe('editor');
  });

  it.each(['copilot', 'external'] as const)('is %s alone when the setting says so', (kind) => {
    expect(who(kind, 'client', everything, 'elicit')).toBe('wire');
    expect(who(kind, 'client', {}, 'elicit')).toBeUndefined();
    expect(who(kind, 'client', {}, 'sample')).toBeUndefined();
  });

  it('declares what all can do together, so that listing and requires agree with it', () => {
    const of = (surface: QuestionSurface, wire: ClientCapabilities) =>
      chooseSurface(
        'external',
        { elicitation: surface, sampling: surface },
        client('wire', wire),
        client('editor', everything),
      ).capabilities();
    expect(of('auto', {})).toEqual(everything);
    expect(of('client', {})).toEqual({ roots: true });
    expect(of('client', { elicitation: { form: true } })).toEqual({
      elicitation: { form: true },
      roots: true,
    });
  });
});
