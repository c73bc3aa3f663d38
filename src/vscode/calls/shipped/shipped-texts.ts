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
      /^(.*)Choose what to commit on (.*)$/s,
      (problem = '', branch = '') => problem + t('Choose what to commit on {0}', branch),
    ],
    [/^Commit (.+)$/s, (files = '') => t('Commit {0}', files)],
    [
      /^This looks as if it held secrets: (.*)\. (A model .*)$/s,
      (named = '', purpose = '') => t('This looks as if it held secrets: {0}. {1}', named, say(purpose)),
    ],
    [
      /^The model’s code wants to call “(.*)”, which may change something\. May it\?$/s,
      (tool = '') => t('The model’s code wants to call “{0}”, which may change something. May it?', tool),
    ],
    [
      /^The model’s code wants to make (\d+) calls that may change something: (.*)\. Untick what it may not do\.$/s,
      (count = '', tools = '') =>
        t(
          'The model’s code wants to make {0} calls that may change something: {1}. Untick what it may not do.',
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
    'Calls that may run': t('Calls that may run'),
    'Changed arguments, as JSON by row': t('Changed arguments, as JSON by row'),
    'More calls like this that may run': t('More calls like this that may run'),
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
    'Send back': t('Send back'),
    Comments: t('Comments'),
    'The line, a colon, and what you have to say: 3: too early': t(
      'The line, a colon, and what you have to say: 3: too early',
    ),
    'Keep as it is': t('Keep as it is'),
    'Lines, such as 3 or 5-8': t('Lines, such as 3 or 5-8'),
    'Anything else': t('Anything else'),
    'The text': t('The text'),
    'Change what you want changed': t('Change what you want changed'),
    'Is this what should be done?': t('Is this what should be done?'),
    Files: t('Files'),
    'Paths to suggest, relative to the root of the repository.': t(
      'Paths to suggest, relative to the root of the repository.',
    ),
    '“all”, “staged”, or their numbers, such as 1, 3-5': t(
      '“all”, “staged”, or their numbers, such as 1, 3-5',
    ),
    Message: t('Message'),
    'The message to suggest: one line that says what, then, after a blank line, why.': t(
      'The message to suggest: one line that says what, then, after a blank line, why.',
    ),
    Repository: t('Repository'),
    'Folder of the repository, by name or path, where the workspace has several.': t(
      'Folder of the repository, by name or path, where the workspace has several.',
    ),
    'Several repositories have changes. Where do you want to commit?': t(
      'Several repositories have changes. Where do you want to commit?',
    ),
    Subject: t('Subject'),
    'What the commit does, in one line': t('What the commit does, in one line'),
    Body: t('Body'),
    'Why, if the subject does not say': t('Why, if the subject does not say'),
    'Let the model read these, too': t('Let the model read these, too'),
    'Without it the model does without them.': t('Without it the model does without them.'),
    'A model is about to draft the message of the commit.': t(
      'A model is about to draft the message of the commit.',
    ),
    'A model is about to read these files whole, to mend their problems.': t(
      'A model is about to read these files whole, to mend their problems.',
    ),
    File: t('File'),
    'A file, relative to its workspace folder. Without it: the whole workspace.': t(
      'A file, relative to its workspace folder. Without it: the whole workspace.',
    ),
    'At least': t('At least'),
    'Problems at least this bad.': t('Problems at least this bad.'),
    error: t('Error'),
    warning: t('Warning'),
    information: t('Information'),
    'What to do with this edit': t('What to do with this edit'),
    accept: t('Accept'),
    skip: t('Skip'),
    accept_rest: t('Accept it and all that follow'),
    skip_rest: t('Skip it and all that follow'),
    Kitchen: t('Kitchen'),
    Thai: t('Thai'),
    Italian: t('Italian'),
    'Surprise me': t('Surprise me'),
    People: t('People'),
    'Outside, if it does not rain': t('Outside, if it does not rain'),
    'This tool has stopped in the middle, to ask you. What would you like to eat?': t(
      'This tool has stopped in the middle, to ask you. What would you like to eat?',
    ),
  };
}

/** Names of tools are said as they are. */
function namesIn(t: Translate, names: string): string {
  const [, first] = /^(.*) and others$/s.exec(names) ?? [];
  return first === undefined ? names : t('{0} and others', first);
}
