import type { ClientCapabilities } from '../../core/index.ts';
import { type Finding, tableOf } from './table.ts';

/** Faster than anybody reads a form. */
const INHUMAN = 0.4;

/** The report, as Markdown to paste into an issue. It holds no folder, name or answer of the user's. */
export function reportOf(capabilities: ClientCapabilities, findings: readonly Finding[]): string {
  return [
    '# What this client does',
    '',
    `It says that it can: \`${JSON.stringify(capabilities)}\``,
    '',
    ...tableOf(findings),
    '',
    ...notesOf(findings),
  ].join('\n');
}

function notesOf(findings: readonly Finding[]): readonly string[] {
  const form = findings.find(({ what }) => what === 'Form');
  if (form?.seconds === undefined) {
    return [
      'Forms are not offered: tools that must ask (`.requires({ elicitation: true })`) are not listed to it.',
    ];
  }
  if (form.seconds < INHUMAN) {
    return [
      `The form was answered after ${form.seconds.toFixed(2)} s: by a machine, or by a client that answers for its user.`,
    ];
  }
  return ['The form was answered at the speed of a person.'];
}
