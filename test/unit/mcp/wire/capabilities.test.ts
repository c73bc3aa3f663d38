import { describe, expect, it } from 'vitest';
import { decodeCapabilities, missingCapabilities } from '#src/mcp/wire/capabilities.ts';

describe('what a client declares', () => {
  it.each([[{}], [{ form: {} }], [{ somethingNew: {} }]])(
    'means forms when elicitation is %j',
    (elicitation) => {
      expect(decodeCapabilities({ elicitation })).toEqual({ elicitation: { form: true } });
    },
  );

  it('means pages, and no forms, when elicitation is for URLs only', () => {
    expect(decodeCapabilities({ elicitation: { url: {} } })).toEqual({ elicitation: { url: true } });
    expect(decodeCapabilities({ elicitation: { form: {}, url: {} } })).toEqual({
      elicitation: { form: true, url: true },
    });
  });

  it('tells sampling with tools from sampling', () => {
    expect(decodeCapabilities({ sampling: {} })).toEqual({ sampling: { tools: false } });
    expect(decodeCapabilities({ sampling: { tools: {}, context: {} } })).toEqual({
      sampling: { tools: true, context: true },
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

  it('can be forms, pages, or both', () => {
    const both = { elicitation: { form: true, url: true } } as const;
    expect(missingCapabilities(both, { elicitation: { form: true } })).toEqual({ elicitation: { url: {} } });
    expect(missingCapabilities(both, {})).toEqual({ elicitation: { form: {}, url: {} } });
    expect(missingCapabilities({ elicitation: true }, { elicitation: { url: true } })).toEqual({
      elicitation: { form: {} },
    });
    expect(missingCapabilities(both, both)).toBeUndefined();
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
