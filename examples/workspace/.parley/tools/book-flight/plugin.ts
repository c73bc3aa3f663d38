import { makePlugin } from 'parley-mcp';
import { FlightList } from './flight-list.view.tsx';
import { SeatPicker } from './seat-picker.view.tsx';
import { bookFlight } from './tool.ts';

/** How the editor asks what `book_flight` wants to know. */
export const bookFlightPlugin = makePlugin(bookFlight)
  .onElicit({
    *pickFlight({ from, to, flights }, ctx) {
      const flight = yield* ctx.render(FlightList, { from, to, flights });
      return { action: 'accept', content: { flight } };
    },
    *pickSeat({ flight, cabin }, ctx) {
      const seat = yield* ctx.render(SeatPicker, { flight, cabin });
      return { action: 'accept', content: { seat } };
    },
  })
  .build();
