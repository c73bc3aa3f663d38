import { randomFrom } from '../random.ts';

/** Where a flight may start or end. */
export interface Airport {
  readonly code: string;
  readonly city: string;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Hours from UTC. */
  readonly offset: number;
}

const KNOWN: readonly Airport[] = [
  { code: 'AMS', city: 'Amsterdam', latitude: 52.3, longitude: 4.8, offset: 1 },
  { code: 'ATH', city: 'Athens', latitude: 37.9, longitude: 23.9, offset: 2 },
  { code: 'BCN', city: 'Barcelona', latitude: 41.3, longitude: 2.1, offset: 1 },
  { code: 'BER', city: 'Berlin', latitude: 52.4, longitude: 13.5, offset: 1 },
  { code: 'CDG', city: 'Paris', latitude: 49.0, longitude: 2.5, offset: 1 },
  { code: 'CPH', city: 'Copenhagen', latitude: 55.6, longitude: 12.7, offset: 1 },
  { code: 'CPT', city: 'Cape Town', latitude: -34.0, longitude: 18.6, offset: 2 },
  { code: 'DUB', city: 'Dublin', latitude: 53.4, longitude: -6.3, offset: 0 },
  { code: 'GRU', city: 'São Paulo', latitude: -23.4, longitude: -46.5, offset: -3 },
  { code: 'HND', city: 'Tokyo', latitude: 35.6, longitude: 139.8, offset: 9 },
  { code: 'IST', city: 'Istanbul', latitude: 41.3, longitude: 28.7, offset: 3 },
  { code: 'JFK', city: 'New York', latitude: 40.6, longitude: -73.8, offset: -5 },
  { code: 'LHR', city: 'London', latitude: 51.5, longitude: -0.5, offset: 0 },
  { code: 'LIS', city: 'Lisbon', latitude: 38.8, longitude: -9.1, offset: 0 },
  { code: 'OSL', city: 'Oslo', latitude: 60.2, longitude: 11.1, offset: 1 },
  { code: 'SFO', city: 'San Francisco', latitude: 37.6, longitude: -122.4, offset: -8 },
  { code: 'SIN', city: 'Singapore', latitude: 1.4, longitude: 104.0, offset: 8 },
  { code: 'SYD', city: 'Sydney', latitude: -33.9, longitude: 151.2, offset: 10 },
  { code: 'VIE', city: 'Vienna', latitude: 48.1, longitude: 16.6, offset: 1 },
  { code: 'WAW', city: 'Warsaw', latitude: 52.2, longitude: 21.0, offset: 1 },
];

/** The airport of a city or code. A place this timetable has never heard of gets one, always in the same spot of Europe. */
export function airportOf(place: string): Airport {
  const name = place.trim();
  const known = KNOWN.find(({ code, city }) => code === name.toUpperCase() || plain(city) === plain(name));
  if (known) return known;
  const random = randomFrom(plain(name));
  return {
    code: plain(name).replace(/\s/g, '').padEnd(3, 'X').slice(0, 3).toUpperCase(),
    city: name,
    latitude: Math.round(38 + random() * 20),
    longitude: Math.round(random() * 25),
    offset: 1,
  };
}

/** Kilometres along the great circle. */
export function distance(from: Airport, to: Airport): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const across = Math.cos(radians(to.longitude - from.longitude));
  return 6371 * Math.acos(Math.min(1, Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * across));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Lower case without accents, so that “sao paulo” finds São Paulo. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
