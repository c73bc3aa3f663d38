import { describe, expect, it } from 'vitest';
import { judge, readSummary } from '#test/conformance/harness/read-summary.ts';

const summary = `
=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✗ tools-list: 1 passed, 1 failed
✓ silent: 0 passed, 0 failed
✗ tasks: 0 passed, 3 failed
✓ late: 4 passed, 0 failed

Not scored for 2026-07-28: 3 scenario(s) run, 1 failing.
  ✓ silent (pending)
  ✗ tasks (extension)
  ✓ late (added-after-release)
`.split('\n');

describe('the summary of the official suite', () => {
  it('names every scenario that ran, scored or not', () => {
    expect(readSummary(summary)).toEqual([
      { name: 'ping', passed: 2, failed: 0, scored: true },
      { name: 'tools-list', passed: 1, failed: 1, scored: true },
      { name: 'silent', passed: 0, failed: 0, scored: false },
      { name: 'tasks', passed: 0, failed: 3, scored: false },
      { name: 'late', passed: 4, failed: 0, scored: false },
    ]);
  });

  it('counts what is not scored, and what checked nothing has failed', () => {
    expect(judge(readSummary(summary), { tasks: 'not built' })).toEqual({
      passed: ['ping', 'late'],
      failed: ['tools-list', 'silent'],
      gaps: ['tasks'],
      closed: [],
    });
  });

  it('takes no scored scenario for a gap, and says which gaps are closed', () => {
    const verdict = judge(readSummary(summary), { 'tools-list': 'no', late: 'not yet' });
    expect(verdict.failed).toContain('tools-list');
    expect(verdict.closed).toEqual(['late']);
  });
});
