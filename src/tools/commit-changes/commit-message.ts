/** A commit's message in its two parts; either may be empty in a draft. */
export interface CommitMessage {
  /** One line. */
  readonly subject: string;
  readonly body: string;
}

/** No more fits into the form that asks for it. */
const LONGEST_SUBJECT = 150;
const LONGEST_BODY = 5000;

/** Splits a message at its first line, as git does. */
export function splitMessage(text: string): CommitMessage {
  const [first = '', ...rest] = text.trim().split(/\r?\n/);
  return {
    subject: first.trim().slice(0, LONGEST_SUBJECT),
    body: rest.join('\n').trim().slice(0, LONGEST_BODY),
  };
}

/** The message as git wants it: subject, blank line, body. */
export function joinMessage({ subject, body }: CommitMessage): string {
  const first = subject.replace(/\s+/g, ' ').trim();
  return body.trim() === '' ? first : `${first}\n\n${body.trim()}`;
}
