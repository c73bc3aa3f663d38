/** How much structure one message may have: what is small as text can still be costly to check and to copy. */
export interface JsonBounds {
  /** Values, keys among them. */
  readonly nodes: number;
  /** Lists and objects within each other. */
  readonly depth: number;
}

/** Bytes of text that one node has on average in the busiest message that is taken. */
const BYTES_A_NODE = 32;

/** Nobody writes arguments by hand that are deeper; recursion in libraries ends not far above. */
const DEPTH = 100;

/** The bounds of a message of at most so many bytes. */
export function jsonBounds(bytes: number): JsonBounds {
  return { nodes: Math.max(1_000, Math.floor(bytes / BYTES_A_NODE)), depth: DEPTH };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * What is too much about JSON text, before it is parsed; `undefined` when it is within the bounds. Counts what opens or
 * separates values outside of strings: a list or object may count twice, and text that is no JSON has a number as well.
 */
export function excess(text: Uint8Array, { nodes, depth }: JsonBounds): string | undefined {
  let count = 1;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (byte === COMMA || byte === COLON) {
      count += 1;
    } else if (isOpening(byte)) {
      open += 1;
      count += 1;
      if (open > depth) return `it is nested deeper than ${depth} levels`;
    } else if (isClosing(byte)) {
      open -= 1;
    }
    if (count > nodes) return `it holds more than ${nodes} values`;
  }
  return undefined;
}

/** Where the quote is that ends a string. */
function endOfString(text: Uint8Array, from: number): number {
  for (let at = text.indexOf(QUOTE, from); at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === BACKSLASH && at - 1 - slashes >= from) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** `[` or `{` */
function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

/** `]` or `}` */
function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}
