/** What is painted on the tail, on a field of 24 by 24. */
const SIGNS: Readonly<Record<string, string>> = {
  // A tern's wings.
  TN: 'M2 8c4.5-1.5 8 .3 10 5 2-4.7 5.5-6.5 10-5-4 1-7.3 4-10 9-2.7-5-6-8-10-9Z',
  // A sun on the sea.
  HC: 'M12 4a6.5 6.5 0 0 1 6.5 6.5c0 1-.2 1.8-.5 2.5H6a6.5 6.5 0 0 1 6-9ZM4 15h16v1.8H4ZM7 18.5h10v1.7H7Z',
  // A falcon that dives.
  KS: 'M3 4l9 6 9-6-9 11ZM7 13.5l5 6.5 5-6.5-5 3.5Z',
  // The pole star.
  NL: 'M12 2l2.2 7.8L22 12l-7.8 2.2L12 22l-2.2-7.8L2 12l7.8-2.2Z',
};

/** An airline's sign. It says nothing that the name beside it does not say, so a screen reader skips it. */
export function AirlineMark({ code }: { readonly code: string }) {
  return (
    <svg className={`airline airline-${code}`} viewBox="-6 -6 36 36" aria-hidden="true">
      <rect className="airline-field" x="-6" y="-6" width="36" height="36" rx="8" />
      <path className="airline-sign" d={SIGNS[code] ?? 'M4 18 12 5l8 13Z'} />
    </svg>
  );
}
