import type { EsModule } from './built-module.ts';
import { LENT_TO_HOST } from './lent-modules.ts';

/** What a module is as CommonJS. */
export interface CommonJs {
  readonly code: string;
  /** The source map as JSON. */
  readonly map: string;
}

const NAME = String.raw`[\w$]+`;
const IMPORT = new RegExp(
  String.raw`^import (?:(?:(${NAME})(?:, )?)?(?:\* as (${NAME})|\{([^{}]*)\})? from )?"([^"\\\n]+)";$`,
  'gm',
);
const ITEM = new RegExp(`^(${NAME})(?: as (${NAME}))?$`);
const MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\n*$/;
const EXPORTS = /\nexport \{\n([^{}]*)\};\n*$/;
/** What means something else in CommonJS, or is imported later. */
const NOT_PLAIN = /\b(?:require|exports|module|import\.meta|arguments)\b|\bimport\s*\(/;

/**
 * The CommonJS of a module that imports nothing but what Parley lends; of any other, nothing: the bundler has to make it. Most tool files
 * are such modules, and asking the bundler again for each takes longer than all of the build.
 *
 * What it looks for is what esbuild prints, and is counted against what esbuild says that it printed: a text of the author's that
 * looks the same makes the counts differ. Lines stay where they are, and so does the source map.
 */
export function plainCommonJs({
  text,
  imports,
  externals,
  exports,
  isLoading,
}: EsModule): CommonJs | undefined {
  const [mapComment, map] = MAP.exec(text) ?? [];
  if (mapComment === undefined || map === undefined || imports.length > 0 || isLoading) return undefined;
  const whole = text.slice(0, -mapComment.length);
  const [exportClause = '', exported = ''] = EXPORTS.exec(whole) ?? [];
  const body = whole.slice(0, whole.length - exportClause.length);
  // The first line gets what is imported; it is nobody's line.
  if (!/^(?:\/\/|import\b|var __)/.test(body) || /^export\b/m.test(body)) return undefined;

  const given = gettersOf(exported, exports);
  const taken = [...body.matchAll(IMPORT)].map(requireOf);
  if (given === undefined || taken.length !== externals.length || taken.includes(undefined)) return undefined;
  if ((body.match(/^import\b/gm)?.length ?? 0) !== taken.length) return undefined;
  const rest = body.replace(IMPORT, (statement) => statement.replace(/[^\n]/g, ''));
  if (NOT_PLAIN.test(rest)) return undefined;
  return { code: `${taken.join('')}${rest}\n${given}`, map: Buffer.from(map, 'base64').toString() };
}

/** An import of what is lent: that is there as a whole, and stays as it is. */
function requireOf([, standard, all, some, path = '']: RegExpExecArray): string | undefined {
  if (!(path in LENT_TO_HOST)) return undefined;
  const names = some === undefined ? [] : pairsOf(some);
  if (names === undefined) return undefined;
  const module = `require(${JSON.stringify(path)})`;
  const picked = [
    ...(standard === undefined ? [] : [`default: ${standard}`]),
    ...names.map(([name, local]) => `${name}: ${local}`),
  ];
  const whole = all === undefined ? '' : `var ${all} = ${module};`;
  if (picked.length > 0) return `${whole}var { ${picked.join(', ')} } = ${module};`;
  return whole === '' ? `${module};` : whole;
}

/** Exports as esbuild gives them: in the order of their names, and each as it is when it is looked at. */
function gettersOf(exported: string, names: readonly string[]): string | undefined {
  const pairs = pairsOf(exported);
  if (pairs?.length !== names.length) return undefined;
  const local = new Map(pairs.map(([own, name]) => [name, own]));
  if (names.some((name) => !local.has(name))) return undefined;
  const getters = names.map(
    (name) =>
      `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${local.get(name)} });`,
  );
  return `Object.defineProperty(exports, "__esModule", { value: true });${getters.join('')}`;
}

/** `a, b as c` as pairs; nothing where a name is none that could stand anywhere. */
function pairsOf(list: string): ReadonlyArray<readonly [string, string]> | undefined {
  const items = list.split(',').map((item) => item.trim());
  const read = items.filter((item) => item !== '').map((item) => ITEM.exec(item));
  return read.every((item) => item !== null)
    ? read.map(([, first = '', second = first]) => [first, second] as const)
    : undefined;
}
