const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The digits, signs and full stop that a Japanese or Chinese keyboard writes, each as wide as a letter of theirs. */
const WIDE = /[\uFF0B\uFF0D-\uFF0E\uFF10-\uFF19]/g;
const WIDER_BY = 0xfee0;

/** What a person writes for a number, also in wide digits or with the minus sign of a text; `NaN` for what is none. */
export function numberOf(text: string): number {
  const plain = text
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDER_BY))
    .replace(/^\u2212/, '-');
  return NUMBER.test(plain) ? Number(plain) : Number.NaN;
}
