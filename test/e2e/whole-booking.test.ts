import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('booking a flight', () => {
  test('by keyboard from the palette to the ticket', async ({ page, workbench }) => {
    const panel = await panels.searchFlights(page, 'AMS', 'LIS');
    await panel.getByText('Found 7 flights from AMS to LIS').first().waitFor();
    await expect.poll(() => panels.flights(panel).count()).toBe(7);
    await expect.poll(() => panel.locator('.flights-airplane').count()).toBe(1);

    // The list has the keyboard: nothing is clicked.
    await panel.locator('input[type=radio]:focus').waitFor();
    await panels.pressIn(panel, 'ArrowDown');
    const chosen = panels.button(panel, 'Choose [A-Z]{2} \\d{3}');
    await chosen.waitFor();
    const flight = ((await chosen.textContent()) ?? '').replace('Choose ', '').trim();
    const card = panel.locator('.flight', { hasText: flight });
    const price = ((await card.locator('.flight-price').textContent()) ?? '').replace('€', '');
    await panels.pressIn(panel, 'Enter');

    await panel.getByRole('grid', { name: `Seats of ${flight}` }).waitFor();
    await panel.locator('.seat:focus').waitFor();
    await panels.pressIn(panel, 'Control+End');
    await panel.locator('[data-seat="12F"]:focus').waitFor();
    await panels.pressIn(panel, 'Control+Home');
    await panel.locator('[data-seat="1A"]:focus').waitFor();
    const seat = await walkToFreeSeat();
    await panels.pressIn(panel, 'Space');
    await panels.button(panel, `Choose seat ${seat}`).waitFor();
    await panels.pressIn(panel, 'Tab');
    await panels.pressIn(panel, 'Enter');

    const result = await panels.resultOf(panel);
    expect(result).toMatchObject({ Status: 'booked', Seat: seat, Price: price });
    expect(result['Ticket number']).toMatch(/^PAR-[A-Z2-9]{6}$/);
    expect(result.Flight).toContain(flight);
    expect(result.Tip).toContain('In Lisbon, ride tram 28');
    await panels.status(panel, 'Done');
    expect(await workbench.bridge.execute('parleyDemo.requests')).toMatchObject([
      { model: 'demo', state: 'done', modelOptions: { max_tokens: 120 } },
    ]);
    expect(await panels.logWith(workbench, 'searching 4 airlines')).toContain('{"from":"AMS","to":"LIS"}');

    async function walkToFreeSeat(): Promise<string> {
      for (const key of ['ArrowDown', ...Array<string>(10).fill('ArrowRight')]) {
        await panels.pressIn(panel, key);
        const here = panel.locator('.seat:focus');
        if ((await here.getAttribute('aria-disabled')) === 'false')
          return (await here.getAttribute('data-seat')) ?? '';
      }
      throw new Error('No seat of the second row is free.');
    }
  });
});
