import { shownJson } from '../../core/messages/shown-json.ts';

/** What is wrong with edited arguments. Whether the tool takes them, the tool says. */
export function argumentsProblem(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'Arguments are an object: { … }';
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

/** Arguments without the braces and line breaks of JSON. */
export function oneLine(json: string): string {
  try {
    const entries = Object.entries(JSON.parse(json) as Readonly<Record<string, unknown>>);
    if (entries.length === 0) return 'no arguments';
    return entries.map(([name, value]) => `${shownJson(name).slice(1, -1)}: ${shownJson(value)}`).join(', ');
  } catch {
    return json;
  }
}
