/** What a person who picks the first flight and the first free seat answers. */
export function answerBooking({ message }: { readonly message: string }) {
  const context = JSON.parse(message.split('--x-model-context: application/json\n')[1] ?? '{}') as {
    flights?: ReadonlyArray<{ number: string }>;
    cabin?: { rows: number; taken: readonly string[] };
  };
  if (context.flights)
    return { action: 'accept' as const, content: { flight: context.flights[0]?.number ?? '' } };
  const free = ['1A', '2A', '3A', '4A', '5A', '6A'].find((seat) => !context.cabin?.taken.includes(seat));
  return { action: 'accept' as const, content: { seat: free ?? '' } };
}

/** What a model says. */
export function answerSampling() {
  return {
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Take the yellow tram before nine.' },
    model: 'scripted',
    stopReason: 'endTurn' as const,
  };
}
