/**
 * What a real model would say to the prompts of the README, known by heart: a form with the questions that the prompt names, the
 * message of a commit that its diff suggests, a tip that fits a lunch. Everything else is `from-schema.cjs`.
 */

/** @returns the input of a tool that the prompt asks for; `undefined` when no story tells it */
exports.inputFor = (name, prompt) => {
  if (/(ask_user|askWithForm)$/.test(name)) return questions(prompt);
  if (/release_notes$/i.test(name)) return releaseNotes(prompt);
  return undefined;
};

/** @returns a value of a schema that the prompt asks for; `undefined` when no story tells it */
exports.valueFor = (schema, prompt) => {
  const { type, scope, summary } = schema.properties ?? {};
  return type && scope && summary ? commitMessage(prompt) : undefined;
};

/** @returns a tip for a lunch; `undefined` when the prompt is about something else */
exports.lunchTip = (prompt) => {
  if (!/\blunch\b/i.test(prompt)) return undefined;
  const [, tip] = lunches.find(([wish]) => wish.test(prompt)) ?? lunches.at(-1);
  return /\boutside\b/i.test(prompt) ? `${tip} Ask for a table in the shade.` : tip;
};

const lunches = [
  [/\bthai\b/i, 'Order the green papaya salad for everybody first: it is ready in five minutes.'],
  [/\bitalian\b/i, 'Share one plate of pasta as a starter, and have the pizza after it.'],
  [/./, 'Take the dish of the day: the kitchen has made the most of it.'],
];

/** “… to ask me A, and B”: a field for each, with choices where people mostly choose. */
function questions(prompt) {
  const [, asked = ''] = /\bask me\b(?:\s+about\b)?:?\s+([^.!?\n]+)/i.exec(prompt) ?? [];
  const parts = asked
    .split(/\s*(?:,|;|\band\b)\s*/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const fields = (parts.length > 0 ? parts : ['what you would like']).slice(0, 5).map(field);
  return { title: 'A few questions', message: 'I need this before I begin.', fields };
}

function releaseNotes(prompt) {
  const version = /\b\d+\.\d+(\.\d+)?\b/.exec(prompt)?.[0] ?? '1.0.0';
  const draft = '- Starts twice as fast\n- Dark theme for reports\n- Fixes a crash when a file is empty';
  return { version, draft };
}

function field(part, index) {
  const label = `${part[0].toUpperCase()}${part.slice(1)}`;
  if (/\blicen[cs]e\b/i.test(part)) {
    const options = [
      { value: 'MIT', description: 'Short and permissive.', recommended: true },
      { value: 'Apache-2.0', description: 'Permissive, with a grant of patents.' },
      { value: 'GPL-3.0', description: 'Changes stay open.' },
    ];
    return { name: 'license', label, kind: 'choice', options };
  }
  if (/\bcalled\b|\bname\b/i.test(part)) return { name: 'name', label, placeholder: 'lisbon-guide' };
  return { name: `answer${index + 1}`, label };
}

/** A message for the files of a diff. */
function commitMessage(prompt) {
  const paths = [...prompt.matchAll(/^(?:\+\+\+ b\/|diff --git a\/\S+ b\/)(\S+)$/gm)].map(([, path]) => path);
  const [first = 'the chosen files', ...others] = new Set(paths);
  const type = /\.(md|txt)$/i.test(first) ? 'docs' : 'feat';
  return { type, summary: `update ${first}${others.length > 0 ? ` and ${others.length} more` : ''}` };
}
