import * as fc from 'fast-check';
import { createMockMcpClient, runMcpTool, stopCall } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { partsOf, withEdits } from '#src/tools/review-plan/parts.ts';
import { anchored, reviewContent } from '#src/tools/review-plan/review.ts';
import { reviewPlan } from '#src/tools/review-plan/tool.ts';

const PLAN = `# Move to SQLite

Why: one file.
It is enough.

1. Write the schema
2. Move the data
   with a script
3. Delete the old

\`\`\`sql
create table a (id);

-- later
\`\`\`
| a | b |
|---|---|
`;

const given = { decision: 'revise', comments: [], edits: [], accepted: [], general: '' } as const;

describe('the parts of a document', () => {
  test('are headings, paragraphs, items, tables and blocks of code, each with its lines', () => {
    expect(partsOf(PLAN).map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [3, 4],
      [6, 6],
      [7, 8],
      [9, 9],
      [11, 15],
      [16, 17],
    ]);
    expect(partsOf('```\nnever closed')).toEqual([{ from: 1, to: 2, text: '```\nnever closed' }]);
    expect(partsOf(' \n\n')).toEqual([]);
  });

  test('hold every line that says something, once and in order, whatever is written', () => {
    const line = fc.constantFrom('', '# a', '- b', '1. c', '```', '~~~', '| d |', 'text', '  more', ' ');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const document = lines.join('\n');
        const parts = partsOf(document);
        const covered = new Set(parts.flatMap(({ from, to }) => range(from, to)));
        expect(covered.size).toBe(parts.reduce((sum, { from, to }) => sum + to - from + 1, 0));
        for (const [at, text] of lines.entries()) if (text.trim() !== '') expect(covered).toContain(at + 1);
        expect(withEdits(document, new Map())).toBe(document);
        expect(withEdits(document, new Map(parts.map(({ from, text }) => [from, text])))).toBe(document);
      }),
    );
  });

  test('are written anew without a change to what is around them', () => {
    const edited = withEdits(
      PLAN.replaceAll('\n', '\r\n'),
      new Map([
        [7, '2. Copy the data'],
        [9, ''],
      ]),
    );
    expect(edited).toBe(
      PLAN.replace(
        '2. Move the data\n   with a script\n3. Delete the old\n',
        '2. Copy the data\n',
      ).replaceAll('\n', '\r\n'),
    );
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

describe('a review', () => {
  test('is an answer that a form has, too, and comes back with the lines that it is about', () => {
    const content = reviewContent(PLAN, {
      ...given,
      comments: [
        [7, 'too\nearly'],
        [9, 'keep it'],
      ],
      accepted: [1, 11],
    });
    expect(content).toEqual({
      decision: 'revise',
      comments: ['7-8: too\nearly', '9: keep it'],
      accepted: ['1', '11-15'],
    });
    expect(anchored(PLAN, content.comments ?? [])).toEqual([
      { from: 7, to: 8, quote: '2. Move the data\n   with a script', comment: 'too\nearly' },
      { from: 9, to: 9, quote: '3. Delete the old', comment: 'keep it' },
    ]);
  });

  test('keeps a comment that names no line, or one that is not there', () => {
    expect(anchored('one', ['all of it', '7: where?', '0: x', '1:  ', '2-1: turned'])).toEqual([
      { comment: 'all of it' },
      { comment: '7: where?' },
      { comment: '0: x' },
      { comment: '2-1: turned' },
    ]);
  });
});

describe('review_plan', () => {
  const review = (content: object) =>
    runMcpTool(
      reviewPlan,
      { document: PLAN },
      createMockMcpClient({ elicitResponses: { review: { action: 'accept', content } } }),
    );

  test('tells the agent what was said about which lines, what is to stay, and the text as it was edited', async () => {
    expect(
      await review({
        decision: 'revise',
        comments: ['9: not yet'],
        accepted: ['1', '99'],
        general: 'Nice.',
        document: 'All new',
      }),
    ).toEqual({
      status: 'changes_requested',
      comments: [{ from: 9, to: 9, quote: '3. Delete the old', comment: 'not yet' }, { comment: 'Nice.' }],
      accepted: ['# Move to SQLite'],
      document: 'All new',
    });
  });

  test('says no more than “approved” of a plan that was approved as it is', async () => {
    expect(await review({ decision: 'approve', document: PLAN })).toEqual({ status: 'approved' });
  });

  test('shows the text in its field where there is no view', async () => {
    const client = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
    expect(await runMcpTool(reviewPlan, { title: 'Plan', document: PLAN }, client)).toEqual({
      status: 'declined',
    });
    expect(client.transcript[0]).toMatchObject({
      request: { message: 'Plan', requestedSchema: { properties: { document: { default: PLAN } } } },
    });
  });

  test('says the title once, where the document begins with it', async () => {
    const client = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
    await runMcpTool(reviewPlan, { title: 'Move to SQLite', document: PLAN }, client);
    expect(client.transcript[0]).toMatchObject({ request: { message: 'Run this plan?' } });
  });

  test('is nobody’s approval when it was cancelled, and ends where it waits when it is stopped', async () => {
    const cancelled = createMockMcpClient({ elicitResponses: [{ action: 'cancel' }] });
    expect(await runMcpTool(reviewPlan, { document: 'x' }, cancelled)).toEqual({ status: 'cancelled' });
    const stopped = createMockMcpClient({ elicitResponses: [stopCall()] });
    await expect(runMcpTool(reviewPlan, { document: 'x' }, stopped)).rejects.toThrow();
  });
});
