import type { ReservedContextField } from './elicit.ts';

const RESERVED: Readonly<Record<ReservedContextField, true>> = {
  message: true,
  mode: true,
  schema: true,
  id: true,
  key: true,
  toolName: true,
  callId: true,
  seq: true,
  params: true,
  handoff: true,
  attempt: true,
  problem: true,
  maxAttempts: true,
  onDecline: true,
};

/** Whether no context field may have this name: every request to a handler has a field that is called so. */
export function isReservedContextField(name: string): name is ReservedContextField {
  return Object.hasOwn(RESERVED, name);
}
