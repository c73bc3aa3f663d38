/** Whether a text fits a pattern in which `*` stands for anything. In time that grows with both, whatever they are. */
export function fitsPattern(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let back = 0;
  let of = 0;
  while (at < text.length) {
    if (pattern[of] === '*') {
      star = of++;
      back = at;
    } else if (of < pattern.length && pattern[of] === text[at]) {
      of++;
      at++;
    } else if (star >= 0) {
      of = star + 1;
      at = ++back;
    } else {
      return false;
    }
  }
  while (pattern[of] === '*') of++;
  return of === pattern.length;
}
