/** What one examination found. */
export interface Finding {
  readonly what: string;
  readonly outcome: string;
  /** How long it took; nothing for what was not tried. */
  readonly seconds: number | undefined;
}

/** Characters of foreign text that a report shows. */
const SHOWN = 2_000;

/** Findings as a table of Markdown. */
export function tableOf(findings: readonly Finding[]): readonly string[] {
  const rows = findings.map(({ what, outcome, seconds }) => {
    const time = seconds === undefined ? '' : `${seconds.toFixed(2)} s`;
    return `| ${what} | ${outcome.replaceAll('|', '\\|').replaceAll('\n', ' ')} | ${time} |`;
  });
  return ['| | result | time |', '| --- | --- | --- |', ...rows];
}

/** Foreign text on one line, as code: nothing in it is Markdown. */
export function code(text: string): string {
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `\`${short.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;
}
