import type { ElicitRefusal } from '../core/tool/elicit-refusal.ts';

/** How a question that was not answered ended, as a tool tells a model. */
export const NOT_ANSWERED = ['declined', 'cancelled', 'not_asked'] as const;

/** Nobody was asked where the client has refused by itself. */
export function notAnswered({ action, answeredBy }: ElicitRefusal): {
  status: (typeof NOT_ANSWERED)[number];
} {
  if (answeredBy) return { status: 'not_asked' };
  return { status: action === 'decline' ? 'declined' : 'cancelled' };
}
