import type { Translate } from '../notices/explain.ts';

/** Says a text in another language. */
export type Say = (text: string) => string;

/** Says a text of a tool that comes with Parley in the editor's language; any other as it is. */
export function wordsIn(t: Translate): Say {
  const texts = new Map(Object.entries(textsIn(t)));
  const patterns = patternsIn(t, (text) => say(text));
  const say: Say = (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    for (const [pattern, said] of patterns) {
      const found = pattern.exec(text);
      if (found) return said(...found.slice(1).map((one) => one ?? ''));
    }
    return text;
  };
  return say;
}

type Pattern = readonly [pattern: RegExp, said: (...parts: string[]) => string];

/** By what the tools say around what they put in. */
function patternsIn(t: Translate, say: Say): readonly Pattern[] {
  return [
    [
      /^(.*)Choose the files to commit on (.*)$/s,
      (problem = '', branch = '') => problem + t('Choose the files to commit on {0}', branch),
    ],
    [/^Commit (.+)$/s, (files = '') => t('Commit {0}', files)],
    [
      /^This may contain secrets: (.*)\. (A model .*)$/s,
      (named = '', purpose = '') => t('This may contain secrets: {0}. {1}', named, say(purpose)),
    ],
    [
      /^Code from the model wants to call “(.*)”, which can make changes\. Allow it\?$/s,
      (tool = '') => t('Code from the model wants to call “{0}”, which can make changes. Allow it?', tool),
    ],
    [
      /^Code from the model wants to make (\d+) calls that can make changes: (.*)\. Clear the calls to refuse\.$/s,
      (count = '', tools = '') =>
        t(
          'Code from the model wants to make {0} calls that can make changes: {1}. Clear the calls to refuse.',
          count,
          namesIn(t, tools),
        ),
    ],
    [
      /^How many more calls of (.*) may run without asking$/s,
      (tool = '') => t('How many more calls of {0} may run without asking', tool),
    ],
  ];
}

/** By what the tools say. */
function textsIn(t: Translate): Readonly<Record<string, string>> {
  return {
    'Allowed calls': t('Allowed calls'),
    'Edited arguments, as JSON by row': t('Edited arguments, as JSON by row'),
    'Additional calls to allow': t('Additional calls to allow'),
    Code: t('Code'),
    'The body of an async function, in JavaScript or TypeScript.': t(
      'The body of an async function, in JavaScript or TypeScript.',
    ),
    Title: t('Title'),
    'A short heading.': t('A short heading.'),
    Document: t('Document'),
    'The document, as Markdown.': t('The document, as Markdown.'),
    'Your decision': t('Your decision'),
    Approve: t('Approve'),
    'Send Back': t('Send Back'),
    Comments: t('Comments'),
    'Line, colon, comment, for example 3: too early': t('Line, colon, comment, for example 3: too early'),
    'Keep unchanged': t('Keep unchanged'),
    'Lines, such as 3 or 5-8': t('Lines, such as 3 or 5-8'),
    'Anything else': t('Anything else'),
    'The text': t('The text'),
    'Edit the values to change': t('Edit the values to change'),
    'Run this plan?': t('Run this plan?'),
    Files: t('Files'),
    'Suggested paths, relative to the repository root.': t(
      'Suggested paths, relative to the repository root.',
    ),
    '“all”, “staged”, or their numbers, such as 1, 3-5': t(
      '“all”, “staged”, or their numbers, such as 1, 3-5',
    ),
    Commit: t('Commit'),
    Message: t('Message'),
    'Suggested message: one line that says what changes, a blank line, then why.': t(
      'Suggested message: one line that says what changes, a blank line, then why.',
    ),
    Repository: t('Repository'),
    'Repository folder, by name or path, if the workspace has several.': t(
      'Repository folder, by name or path, if the workspace has several.',
    ),
    'Several repositories have changes. Choose one to commit to.': t(
      'Several repositories have changes. Choose one to commit to.',
    ),
    Subject: t('Subject'),
    'Summary of the commit, in one line': t('Summary of the commit, in one line'),
    Body: t('Body'),
    'Reason, if not clear from the subject': t('Reason, if not clear from the subject'),
    'Let the model read these too': t('Let the model read these too'),
    'Otherwise, the model does not see them.': t('Otherwise, the model does not see them.'),
    'A model will draft the commit message.': t('A model will draft the commit message.'),
    Cuisine: t('Cuisine'),
    Thai: t('Thai'),
    Italian: t('Italian'),
    'Surprise me': t('Surprise me'),
    People: t('People'),
    'Outside, if it is dry': t('Outside, if it is dry'),
    'This tool paused to ask you: what would you like to eat?': t(
      'This tool paused to ask you: what would you like to eat?',
    ),
  };
}

/** Names of tools are said as they are. */
function namesIn(t: Translate, names: string): string {
  const [, first] = /^(.*) and others$/s.exec(names) ?? [];
  return first === undefined ? names : t('{0} and others', first);
}
