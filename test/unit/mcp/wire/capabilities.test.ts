import { describe, expect, it } from 'vitest';
import { decodeCapabilities, missingCapabilities } from '#src/mcp/wire/capabilities.ts';

describe('what a client declares', () => {
  it.each([[{}], [{ form: {} }], [{ form: {}, url: {} }], [{ somethingNew: {} }]])(
    'means forms when elicitation is %j',
    (elicitation) => {
      expect(decodeCapabilities({ elicitation })).toEqual({ elicitation: { form: true } });
    },
  );

  it('means no forms when elicitation is for URLs only', () => {
    expect(decodeCapabilities({ elicitation: { url: {} } })).toEqual({});
  });

  it('tells sampling with tools from sampling', () => {
    expect(decodeCapabilities({ sampling: {} })).toEqual({ sampling: { tools: false } });
    expect(decodeCapabilities({ sampling: { tools: {}, context: {} } })).toEqual({
      sampling: { tools: true },
    });
  });

  it('reads over what it does not know, and over nonsense', () => {
    expect(decodeCapabilities({ extensions: { 'com.example/ui': {} }, experimental: {} })).toEqual({});
    expect(decodeCapabilities(undefined)).toEqual({});
    expect(decodeCapabilities({ elicitation: true, sampling: 'yes', roots: null })).toEqual({});
  });
});

describe('what a tool requires and a client lacks', () => {
  it('is nothing when the client has it', () => {
    const has = { elicitation: { form: true }, sampling: { tools: true }, roots: true } as const;
    const requires = { elicitation: true, sampling: { tools: true }, roots: true };
    expect(missingCapabilities(requires, has)).toBeUndefined();
    expect(missingCapabilities({}, {})).toBeUndefined();
  });

  it('is named as MCP capabilities', () => {
    expect(missingCapabilities({ elicitation: true, sampling: true, roots: true }, {})).toEqual({
      elicitation: { form: {} },
      sampling: {},
      roots: {},
    });
    expect(missingCapabilities({ sampling: { tools: true } }, { sampling: { tools: false } })).toEqual({
      sampling: { tools: {} },
    });
  });
});
