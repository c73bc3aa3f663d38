/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const { rounds, begins } = constants();

/**
 * The SHA-256 of a text, as base64url. In JavaScript, for it is wanted at once, and where there is no Node.
 *
 * Source: FIPS 180-4, section 6.2
 */
export function digest(text: string): string {
  const words = padded(new TextEncoder().encode(text));
  const hash = begins.slice();
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    for (let at = 0; at < 64; at++) schedule[at] = at < 16 ? word(words, block + at) : extended(schedule, at);
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let at = 0; at < 64; at++) {
      const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = h + sum + ((e & f) ^ (~e & g)) + word(rounds, at) + word(schedule, at);
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) hash[at] = word(hash, at) + value;
  }
  const bytes = [...hash].flatMap((one) => [one >>> 24, (one >>> 16) & 255, (one >>> 8) & 255, one & 255]);
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

function turned(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function extended(words: Uint32Array, at: number): number {
  const [far, near] = [word(words, at - 15), word(words, at - 2)];
  const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  return word(words, at - 16) + low + word(words, at - 7) + high;
}

/** As whole blocks of sixteen words: a one behind the text, and its length in bits at the end. */
function padded(bytes: Uint8Array): Uint32Array {
  const view = new DataView(new ArrayBuffer(((bytes.length + 8) >> 6) * 64 + 64));
  for (const [at, byte] of bytes.entries()) view.setUint8(at, byte);
  view.setUint8(bytes.length, 128);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: view.byteLength / 4 }, (_, at) => view.getUint32(at * 4));
}

function constants(): { readonly rounds: Uint32Array; readonly begins: Uint32Array } {
  const primes: number[] = [];
  for (let next = 2; primes.length < 64; next++) if (primes.every((prime) => next % prime)) primes.push(next);
  const fraction = (root: number) => ((root % 1) * 2 ** 32) >>> 0;
  return {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    begins: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
