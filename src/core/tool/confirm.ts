import type { Operation } from 'effection';
import * as z from 'zod';
import type { OutputOf, Schema } from '../schema/schema.ts';
import type { ElicitResult, InlineElicitOptions } from './elicit.ts';
import { helper } from './helper.ts';

/** Whatever can ask a question that it has not declared: every `ctx` of a tool. */
export interface CanAsk {
  readonly elicit: <S extends Schema>(
    options: InlineElicitOptions<S>,
  ) => Operation<ElicitResult<OutputOf<S>>>;
}

const NOTHING = z.object({});

/**
 * Asks a question that is answered yes or no, by a form without fields: accepting it is yes, declining or cancelling it is no.
 * The tool says `.elicits({ … })`, if only with `{}`.
 *
 * @example
 * if (!(yield* confirm(ctx, `Delete ${files.length} files?`))) return 'Nothing was deleted.';
 */
export function confirm(ctx: CanAsk, message: string): Operation<boolean> {
  const asked = ctx.elicit({ message, schema: NOTHING });
  return helper('confirm', message, asked, ({ action }) => action === 'accept');
}
