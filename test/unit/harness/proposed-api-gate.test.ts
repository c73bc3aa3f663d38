import { describe, expect, it } from 'vitest';
import { withGateClosed } from '#test/harness/proposed-api-gate.ts';

// As code-server's bundles have it: the check says yes to everybody, and the next function relies on it.
const refusal = `throw new Error(\`Extension '\${e.identifier.value}' CANNOT use API proposal: \${p}.\`)`;
const bundle = `let z=1;function ok$1(x,y){return!0}function need(e,p){if(!ok$1(e,p))${refusal}}`;

/** Runs a bundle's check. */
function check(source: string, extension: object, proposal: string): unknown {
  return new Function('extension', 'proposal', `${source};return ok$1(extension,proposal)`)(
    extension,
    proposal,
  );
}

describe('the gate in front of proposed API', () => {
  it('is open as code-server ships it', () => {
    expect(check(bundle, {}, 'timeline')).toBe(true);
  });

  it('is closed afterwards, but for what an extension may use', () => {
    const closed = withGateClosed(bundle, 'bundle.js');
    expect(check(closed, {}, 'timeline')).toBe(false);
    expect(check(closed, { enabledApiProposals: ['other'] }, 'timeline')).toBe(false);
    expect(check(closed, { enabledApiProposals: ['timeline'] }, 'timeline')).toBe(true);
  });

  it('is never taken for closed in a bundle of another form', () => {
    expect(() => withGateClosed('function ok(x,y){return!0}', 'bundle.js')).toThrow(
      /bundle\.js .* known form/,
    );
  });
});
