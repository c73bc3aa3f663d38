const tips = {
  AMS: 'In Amsterdam, rent a bicycle for the first morning and keep off the tram tracks.',
  BCN: 'In Barcelona, book the Sagrada Família for the last slot: the light through the west windows is the best.',
  BER: 'In Berlin, a day ticket for zones A and B covers everything you will want to see.',
  CDG: 'In Paris, take the RER B into town and have your ticket ready for the way out.',
  JFK: 'In New York, take the Staten Island ferry at dusk: it is free and passes the Statue of Liberty.',
  LHR: 'In London, tap in with your bank card; the daily cap makes a travel card unnecessary.',
  LIS: 'In Lisbon, ride tram 28 before nine in the morning, then walk down through Alfama.',
  NRT: 'In Tokyo, get an IC card at the airport: it pays for trains, buses and most vending machines.',
};

const names = {
  AMS: 'Amsterdam',
  BCN: 'Barcelona',
  BER: 'Berlin',
  CDG: 'Paris',
  JFK: 'New York',
  LHR: 'London',
  LIS: 'Lisbon',
  NRT: 'Tokyo',
};

/** A tip for the destination that the prompt names last: an airport's code, a city, or whatever follows “to”. */
exports.travelTip = (prompt) => {
  const named = Object.keys(tips)
    .map((code) => ({ code, at: Math.max(prompt.lastIndexOf(code), prompt.lastIndexOf(names[code])) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => b.at - a.at)[0];
  if (named !== undefined) return `${tips[named.code]} (${named.code})`;
  const place = /\b(?:to|for|in|visiting)\s+([A-Z][\p{L}-]*(?:\s+[A-Z][\p{L}-]*)*)/u.exec(prompt)?.[1];
  return `${place ?? 'Wherever you go'}: carry some cash for the first bus, and note the address of where you stay offline.`;
};
