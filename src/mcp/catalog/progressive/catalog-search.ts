import MiniSearch from 'minisearch';
import type { AnyTool } from '../../../core/tool/tool.ts';

/** Finds tools by words. */
export interface ToolSearch {
  /** Names of the tools that fit, best first. All words count; a word may be a prefix, or slightly misspelt. */
  find(query: string): readonly string[];
}

interface Entry {
  readonly name: string;
  readonly words: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

/** An index over tools: names weigh most, then titles, descriptions and the names of parameters. */
export function createToolSearch(tools: readonly AnyTool[]): ToolSearch {
  const index = new MiniSearch<Entry>({
    idField: 'name',
    fields: ['name', 'words', 'title', 'description', 'parameters'],
    searchOptions: {
      boost: { name: 6, words: 4, title: 3, description: 1, parameters: 1 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'OR',
    },
  });
  index.addAll(tools.map(entryOf));
  return {
    find: (query) => index.search(query).map(({ id }) => String(id)),
  };
}

function entryOf({ def }: AnyTool): Entry {
  const properties = def.parameters.json.properties;
  return {
    name: def.name,
    words: wordsOf(def.name),
    title: def.title ?? '',
    description: def.description,
    parameters:
      typeof properties === 'object' && properties !== null
        ? Object.keys(properties).map(wordsOf).join(' ')
        : '',
  };
}

/** `bookFlight`, `book-flight` and `book_flight` are two words. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
}
