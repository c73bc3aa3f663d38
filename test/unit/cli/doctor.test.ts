import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { doctor } from '#src/cli/doctor/tool.ts';
import { SamplingRefusedError } from '#src/core/index.ts';

const kept = { text: 'as it is', choice: 'second', number: 3, yes: true } as const;

describe('parley doctor', () => {
  test('says what the client offers, what came of it and how long it took', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: kept }],
      sampleResponses: [
        'pong',
        { content: { type: 'tool_use', id: '1', name: 'ping', input: {} }, stopReason: 'toolUse' },
      ],
      roots: [{ uri: 'file:///a/secret/place' }],
    });
    const report = await runMcpTool(doctor, {}, client);
    expect(report).toMatch(/\| Form \| accepted, with the values it began with \| 0\.\d\d s \|/);
    expect(report).toContain('| Sampling | answered by mock-model |');
    expect(report).toContain('| Sampling with tools | called the tool |');
    expect(report).toContain('| Roots | 1 folder |');
    expect(report).toContain('by a machine');
    expect(report).not.toContain('secret');
  });

  test('takes a failure for a finding', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'decline' }],
      sampleResponses: [new SamplingRefusedError('no'), new SamplingRefusedError('no')],
    });
    const report = await runMcpTool(doctor, {}, client);
    expect(report).toContain('| Form | decline |');
    expect(report).toContain('| Sampling | failed (SAMPLING_REFUSED)');
  });

  test('asks nothing of a client that offers nothing', async () => {
    const client = createMockMcpClient({ capabilities: {} });
    const report = await runMcpTool(doctor, {}, client);
    expect(report.match(/not offered/g)).toHaveLength(5);
    expect(client.transcript.some(({ type }) => type === 'elicit')).toBe(false);
  });
});
