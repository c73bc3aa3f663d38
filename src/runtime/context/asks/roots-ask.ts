import type { Operation } from 'effection';
import { ElicitationOptionsError } from '../../../core/errors/elicit-errors.ts';
import { AnswerInvalidError } from '../../../core/errors/session-errors.ts';
import type { JsonValue } from '../../../core/messages/json.ts';
import type { Root } from '../../../core/tool/context.ts';
import type { Frame } from '../../call/frame.ts';
import type { ToolSide } from '../../call/tool-side.ts';
import type { Answer } from '../../session/ask.ts';
import type { AnswerVerdict } from '../../session/open-ask.ts';
import { mayBegin } from '../step.ts';

/** Asks the client for the folders that the call may work in. */
export function* askRoots(call: ToolSide, frame: Frame, key: string | undefined): Operation<readonly Root[]> {
  yield* mayBegin(call, frame, 'roots', 'asks for folders');
  call.require({ roots: true });
  if (key?.includes('#')) throw new ElicitationOptionsError({ key, problem: "a key has no '#'" });
  const { value } = yield* call.ask({
    subject: { kind: 'roots', request: {} },
    key,
    depth: frame.depth,
    frame,
    check: checkRootsAnswer,
  });
  return value as readonly Root[];
}

/** Checks an answer for its shape. @throws `AnswerInvalidError` */
export function checkRootsAnswer(id: string, given: Answer): AnswerVerdict {
  const roots: unknown =
    given !== null && typeof given === 'object' && 'roots' in given ? given.roots : undefined;
  if (!Array.isArray(roots) || !roots.every(isRoot)) {
    throw new AnswerInvalidError({
      askId: id,
      problem: 'a roots request is answered with { roots: [{ uri, name? }] }',
    });
  }
  const value = roots.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name }));
  return { ok: true, value: Object.freeze(value), answer: { roots: value } satisfies JsonValue };
}

function isRoot(root: unknown): root is Root {
  if (typeof root !== 'object' || root === null) return false;
  const { uri, name } = root as Partial<Root>;
  return typeof uri === 'string' && (name === undefined || typeof name === 'string');
}
