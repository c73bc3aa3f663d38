/**
 * A property's name in words: `departureDate` and `departure_date` become “Departure date”. Abbreviations stay.
 */
export function humanize(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .trim()
    .split(/\s+/)
    .map((word, at) => (at > 0 && !/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word));
  const text = words.join(' ');
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
}
