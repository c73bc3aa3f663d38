import type { Operation } from 'effection';
import type { LmPart } from '../../calls/sampler/parts.ts';

/** How long a result may be for the model that asked. */
export interface PartBudget {
  /** Tokens of all text together. */
  readonly tokens: number;
  /** Counts as the model does. */
  count(text: string): Operation<number>;
}

/** What the note about a cut costs, generously. */
const NOTE_TOKENS = 40;

/**
 * Keeps a result within the budget of the caller: text that is too long is cut, and says how much is missing. What is
 * not text (images) stays: its cost is the model's to know.
 */
export function* fitParts(parts: readonly LmPart[], budget?: PartBudget): Operation<readonly LmPart[]> {
  if (!budget || !(budget.tokens >= 0)) return parts;
  const fitted: LmPart[] = [];
  let left = budget.tokens;
  for (const part of parts) {
    if (part.type !== 'text') {
      fitted.push(part);
      continue;
    }
    const cost = yield* costOf(part.text, budget);
    if (cost <= left) {
      fitted.push(part);
      left -= cost;
      continue;
    }
    const kept = yield* cut(part.text, cost, Math.max(0, left - NOTE_TOKENS), budget);
    const note = `[Cut: ${part.text.length - kept.length} of ${part.text.length} characters are left out, because the result was too long. Ask for a smaller part of it.]`;
    fitted.push({ type: 'text', text: kept === '' ? note : `${kept}\n${note}` });
    left = 0;
  }
  return fitted;
}

/** The beginning of a text that costs no more than so many tokens. */
function* cut(text: string, cost: number, tokens: number, budget: PartBudget): Operation<string> {
  let kept = text;
  let costs = cost;
  while (kept !== '' && costs > tokens) {
    // In proportion, and at least a tenth each time: counting is a round trip.
    const length = Math.min(Math.floor((kept.length * tokens) / costs), Math.floor(kept.length * 0.9));
    kept = wholeCharacters(kept.slice(0, length));
    costs = yield* costOf(kept, budget);
  }
  return kept;
}

/** Never half of a pair of surrogates. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

function* costOf(text: string, { count }: PartBudget): Operation<number> {
  if (text === '') return 0;
  const counted = yield* attempted(() => count(text));
  // Models of another extension host count 0 for everything.
  return counted > 0 ? counted : Math.ceil(text.length / 3);
}

/** The tool has run: a model that cannot count costs nobody its result. */
function* attempted(count: () => Operation<number>): Operation<number> {
  try {
    return yield* count();
  } catch {
    return 0;
  }
}
