import * as z from 'zod';
import type { ElicitRefusal, ElicitReply } from '../core/tool/elicit-refusal.ts';

/** How a question that was not answered ended, as a tool tells a model. */
export const NOT_ANSWERED = ['replied', 'declined', 'cancelled', 'not_asked'] as const;

/** What the person wrote back in place of an answer. */
export const replyField = z.string().optional();

/** How a model is told of it. */
export const REPLIED =
  '"replied": the user did not answer, and wrote "reply" instead: take it into account and ask anew.';

/** Nobody was asked where the client has refused by itself. */
export function notAnswered(answer: ElicitRefusal | ElicitReply): {
  status: (typeof NOT_ANSWERED)[number];
  reply?: string;
} {
  if (answer.action === 'reply') return { status: 'replied', reply: answer.text };
  if (answer.answeredBy === 'client') return { status: 'not_asked' };
  return { status: answer.action === 'decline' ? 'declined' : 'cancelled' };
}
