/** An issue or a pull request that is open. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly author: string;
  readonly day: string;
  readonly labels: readonly string[];
}

/** What is to be done with one of them. */
export interface Wish {
  readonly number: number;
  /** Labels to add. */
  readonly labels: readonly string[];
  readonly close: boolean;
  /** Empty for none. */
  readonly reply: string;
}

/** Whether a wish changes anything. */
export function doesSomething({ labels, close, reply }: Wish): boolean {
  return labels.length > 0 || close || reply !== '';
}

/** A wish as a line that a person can read and edit: `#12 +bug +"good first issue" close reply "Thanks" — Title`. */
export function lineOf({ number, labels, close, reply }: Wish, title = ''): string {
  const parts = [
    `#${number}`,
    ...labels.map((label) => `+${/^[\w.:/-]+$/.test(label) ? label : JSON.stringify(label)}`),
    ...(close ? ['close'] : []),
    ...(reply === '' ? [] : [`reply ${JSON.stringify(reply)}`]),
    ...(title === '' ? [] : [`— ${title}`]),
  ];
  return parts.join(' ');
}

const PART = /\s*(?:\+("(?:[^"\\]|\\.)*"|[^\s"]+)|(close)(?=\s|$)|reply\s*("(?:[^"\\]|\\.)*")|(—[\s\S]*|$))/y;

/** Reads a line; a text where it is none, which says why. */
export function wishOf(line: string): Wish | string {
  const number = /^\s*#(\d+)(?=\s|$)/.exec(line);
  if (!number) return `“${line.slice(0, 80)}” does not begin with a number such as #12.`;
  const labels: string[] = [];
  let [close, reply] = [false, ''];
  PART.lastIndex = number[0].length;
  for (;;) {
    const at = PART.lastIndex;
    const part = PART.exec(line);
    if (!part) return `#${number[1]}: “${line.slice(at, at + 80).trim()}” is not +label, close or reply "…".`;
    const [, label, closes, text, end] = part;
    if (end !== undefined) break;
    if (closes) close = true;
    const read = label?.startsWith('"') || text ? parsed(label ?? text ?? '') : label;
    if (label !== undefined && read) labels.push(read);
    if (text !== undefined) reply = (read ?? '').trim();
    if (read === undefined && !closes)
      return `#${number[1]}: ${label ?? text} has a backslash that nobody reads.`;
  }
  return { number: Number(number[1]), labels: [...new Set(labels)], close, reply };
}

function parsed(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}
