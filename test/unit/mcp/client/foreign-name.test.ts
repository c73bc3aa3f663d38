import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isName } from '#src/core/tool/tool-checks.ts';
import { foreignName, outsideName } from '#src/mcp/wire/foreign-name.ts';

describe('the name of a foreign tool', () => {
  it('says server and tool where both can stand as they are', () => {
    expect(foreignName('github', 'create_issue')).toBe('github__create_issue');
    expect(outsideName('github/create_issue')).toBe('github__create_issue');
    expect(outsideName('book_flight')).toBe('book_flight');
  });

  it('is legal, whatever the server says, and never that of another pair', () => {
    const part = fc.oneof(fc.string(), fc.stringMatching(/^[a_0-9]{1,12}$/), fc.string({ minLength: 80 }));
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        const one = foreignName(a, b);
        expect(isName(one)).toBe(true);
        if (a !== c || b !== d) expect(foreignName(c, d)).not.toBe(one);
      }),
    );
    expect(foreignName('a', '_b')).not.toBe(foreignName('a_', 'b'));
    const clash = foreignName('a', 'é');
    expect(foreignName('a', clash.slice('a__'.length))).not.toBe(clash);
  });
});
