import * as z from 'zod';

/** One flight of the timetable. Schema and type in one, because the tool hands flights to the picker as context. */
export const flightSchema = z.object({
  number: z.string(),
  /** One of {@link AIRLINES}. */
  airline: z.string(),
  airlineCode: z.string(),
  /** Local times, `HH:MM`. */
  departs: z.string(),
  arrives: z.string(),
  /** Days later by the local calendar, as airlines print it: `+1`. */
  dayChange: z.number(),
  /** Minutes in all. */
  duration: z.number(),
  /** Cities where the plane is changed. */
  stops: z.array(z.string()),
  /** Whole euros. */
  price: z.number(),
});

/** One flight of the timetable. */
export type Flight = z.infer<typeof flightSchema>;

/** One airline; all of them are made up. */
export interface Airline {
  readonly code: string;
  readonly name: string;
  /** What it charges, against the average. */
  readonly level: number;
}

/** Who flies. */
export const AIRLINES: readonly Airline[] = [
  { code: 'TN', name: 'Tern Air', level: 0.8 },
  { code: 'HC', name: 'Halcyon', level: 1.25 },
  { code: 'KS', name: 'Kestrel Jet', level: 0.9 },
  { code: 'NL', name: 'Northlight', level: 1.05 },
];

/** Minutes as `2 h 50 min`. */
export function spell(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ');
}
