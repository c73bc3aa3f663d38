/** The anchor that GitHub gives to a heading; the site gives the same. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
