import { describe, expect, test } from 'vitest';
import { airportOf } from '#examples/workspace/.parley/tools/book-flight/airports.ts';
import { AIRLINES, spell } from '#examples/workspace/.parley/tools/book-flight/flight.ts';
import { flightsOf } from '#examples/workspace/.parley/tools/book-flight/timetable.ts';

const day = (from: string, to: string) =>
  AIRLINES.flatMap((airline) => flightsOf(airline, airportOf(from), airportOf(to)));

describe('the timetable', () => {
  test('is the same for the same places, however they are written', () => {
    expect(day('Amsterdam', 'LIS')).toEqual(day(' ams ', 'lisbon'));
    expect(day('AMS', 'LIS')).not.toEqual(day('LIS', 'AMS'));
  });

  test('numbers every flight differently, at a price and with times that can be read', () => {
    const flights = day('AMS', 'LIS');
    expect(new Set(flights.map(({ number }) => number)).size).toBe(flights.length);
    for (const flight of flights) {
      expect(flight.price).toBeGreaterThan(20);
      expect(flight.departs).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(flight.arrives).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
    }
  });

  test('takes longer to fly further, and counts the days by the local calendar', () => {
    const [near] = day('AMS', 'BER');
    const far = day('LHR', 'HND');
    expect(near?.duration).toBeLessThan(far[0]?.duration ?? 0);
    expect(far.every(({ dayChange }) => dayChange === 1)).toBe(true);
  });

  test('knows a place by its city without accents, and invents one it does not know', () => {
    expect(airportOf('sao paulo').code).toBe('GRU');
    expect(airportOf('Utrecht')).toMatchObject({ code: 'UTR', city: 'Utrecht' });
    expect(day('Utrecht', 'LIS')).toEqual(day('Utrecht', 'LIS'));
    expect(day('Utrecht', 'LIS').length).toBeGreaterThan(0);
  });
});

test('a duration is spelled without parts that are zero', () => {
  expect([60, 175, 45].map(spell)).toEqual(['1 h', '2 h 55 min', '45 min']);
});
