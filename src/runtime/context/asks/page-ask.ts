import type { Operation } from 'effection';
import { ElicitationOptionsError } from '../../../core/errors/elicit-errors.ts';
import type { OpenedPage, PageResult } from '../../../core/page/elicit-page.ts';
import { readPageAddress } from '../../../core/page/page-address.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { PageAskRequest } from '../../../core/tool/ask.ts';
import type { Frame } from '../../call/frame.ts';
import type { ToolSide } from '../../call/tool-side.ts';
import { checkElicitAnswer, INLINE_KEY, mayAsk } from './elicit-ask.ts';

type Options = Readonly<Record<string, unknown>>;

/** Longest name of a question that an author may give it, characters. */
const MAX_ID = 200;

/** Sends the person to a page, once they have agreed. What they do there goes past us. */
export function* askPage(call: ToolSide, frame: Frame, request: PageAskRequest): Operation<PageResult> {
  yield* mayAsk(call, frame, INLINE_KEY, { url: true });
  const { id, value } = yield* call.ask({
    subject: { kind: 'elicit', declared: false, request },
    key: undefined,
    depth: frame.depth,
    frame,
    check: checkPageAnswer,
  });
  const { action, answeredBy } = value as Pick<PageResult, 'action' | 'answeredBy'>;
  if (action !== 'accept') return { action, answeredBy };
  return { action, answeredBy, ...openedPage(call, id, request.elicitationId ?? `${call.id}-${id}`) };
}

function openedPage(call: ToolSide, id: string, elicitationId: string): OpenedPage {
  return {
    elicitationId,
    *completed() {
      if (!call.over) call.gate.emit({ type: 'page_completed', id, elicitationId });
      yield* call.gate.breathe();
    },
  };
}

/** Checks the answer to a page: it has no content. */
export function checkPageAnswer(id: string, given: Parameters<typeof checkElicitAnswer>[1]) {
  const accepted = { action: 'accept' as const };
  return checkElicitAnswer(id, given, () => ({ ok: true, value: accepted, answer: accepted }));
}

/** What `elicit({ mode: 'url', … })` was given. @throws `ElicitationOptionsError` */
export function pageRequestOf({ message, url, elicitationId }: Options): PageAskRequest {
  if (typeof message !== 'string') {
    throw new ElicitationOptionsError({
      key: INLINE_KEY,
      problem: 'it has no message: say what the person should do on the page',
    });
  }
  const read = readPageAddress(url);
  if (!read.ok)
    throw new ElicitationOptionsError({
      key: INLINE_KEY,
      problem: `this 'url' cannot be opened: ${read.problem}`,
    });
  if (elicitationId !== undefined && !isId(elicitationId)) {
    throw new ElicitationOptionsError({
      key: INLINE_KEY,
      problem: `'elicitationId' is a text of 1 to ${MAX_ID} characters`,
    });
  }
  return { mode: 'url', message, url: read.address.href, ...defined({ elicitationId }) };
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID;
}
