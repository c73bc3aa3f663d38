import type { TemplateNames } from './template-names.ts';

/** What templates import or what the language keeps for itself. */
const TAKEN = new Set(
  `abstract all arguments assert await break case catch class const continue createMcpTool debugger default delete do
  else enum eval export extends false finally for function if implements import in interface let makePlugin new null
  package private protected public return static super switch test this throw true try typeof undefined var void while
  with yield z`.split(/\s+/),
);

/** The names in code for a tool's name: `book_flight` is `bookFlight` and `BookFlightView`. */
export function namesOf(name: string): TemplateNames {
  const words = name.split(/[_-]+/).filter((word) => word !== '');
  const camel = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  const plain = /^[a-zA-Z]/.test(camel) ? camel : `tool${upperFirst(camel)}`;
  const variable = TAKEN.has(plain) ? `${plain}Tool` : plain;
  return { name, variable, component: `${upperFirst(plain)}View` };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.charAt(0).toLowerCase() + text.slice(1);
}
