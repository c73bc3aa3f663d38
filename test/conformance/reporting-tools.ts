import { sleep } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

const nothing = z.object({});

export const withLogging = createMcpTool('test_tool_with_logging')
  .description('Writes three lines to the log')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.log('info', 'Tool execution started');
    yield* sleep(50);
    yield* ctx.log('info', 'Tool processing data');
    yield* sleep(50);
    yield* ctx.log('info', 'Tool execution completed');
    return 'logged three times';
  });

export const logging = createMcpTool('test_logging_tool')
  .description('Writes one line to the log')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.log('info', 'a line for those who asked for lines');
    return 'logged';
  });

export const withProgress = createMcpTool('test_tool_with_progress')
  .description('Reports progress three times')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_params, ctx) {
    for (const value of [0, 50, 100]) {
      yield* ctx.notify(`${value} of 100`, { value, total: 100 });
      yield* sleep(50);
    }
    return 'progressed';
  });

/** Long enough that its answer comes as a stream, with the event that says from where to go on. */
export const reconnection = createMcpTool('test_reconnection')
  .description('Takes its time, so that a client can lose the stream and come back')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    yield* sleep(300);
    return 'still here';
  });
