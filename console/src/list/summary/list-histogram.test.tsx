import { exportTicketEndpoint } from '@patch/contract/records/export-endpoints.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addReplies, bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { beginOnWideScreen, endScreen, open, serve } from '../testing/summarized-list.tsx';

beforeEach(beginOnWideScreen);
afterEach(endScreen);

describe('the histogram', () => {
  const chart = () => screen.findByRole('slider', { name: /^Release date by month/ });
  const valueText = (bars: HTMLElement) => bars.getAttribute('aria-valuetext');
  const mayToJune = `releaseDate.between.2026-05-01T0000Z*.2026-06-30T235959.999Z`;

  test('selects dates with the keyboard', async () => {
    serve();
    const search = await open();
    const bars = await chart();
    expect(valueText(bars)).toBe('Apr 2026 to Jul 2026');
    await pressKey('ArrowLeft', bars);
    expect(valueText(bars)).toBe('Jul 2026: 600, of these 60 critical, 540 low');
    await pressKey('ArrowLeft');
    await person.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    expect(valueText(bars)).toBe('May 2026 – Jun 2026: 900, of these 90 critical, 810 low');
    await pressKey('Escape');
    expect(valueText(bars)).toBe('Apr 2026 to Jul 2026');
    expect(search()).toEqual({ view: 'all' });
    await pressKey('Home');
    await pressKey('ArrowRight');
    await person.keyboard('{Shift>}{ArrowRight}{/Shift}');
    await pressKey('Enter');
    await waitFor(() => expect(search()['criteria']).toBe(mayToJune));
    await person.click(screen.getByRole('button', { name: 'All dates' }));
    expect(search()).toEqual({ view: 'all' });
  });

  test('selects dates by dragging', async () => {
    serve();
    const search = await open();
    const bars = await chart();
    vi.spyOn(bars, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 400, 60));
    const at = (clientX: number) => ({ clientX, button: 0, pointerId: 1 });
    fireEvent.pointerMove(bars, at(450));
    expect(screen.getByText('Jul 2026: 600, of these 60 critical, 540 low')).toBeTruthy();
    fireEvent.pointerDown(bars, at(390));
    fireEvent.pointerMove(bars, at(210));
    fireEvent.pointerUp(bars, at(210));
    await waitFor(() => expect(search()['criteria']).toBe(mayToJune));
  });

  test('has a table for screen readers', async () => {
    serve();
    await open();
    await chart();
    const table = within(screen.getByRole('table', { name: /^Records by month: Release date/ }));
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'Release dateRecordsCriticalLow',
      'Apr 202630030270',
      'May 202640040360',
      'Jun 202650050450',
      'Jul 202660060540',
    ]);
  });
});

describe('an export', () => {
  /** Answers export requests and suppresses downloads. */
  function serveExport() {
    const ticket = { path: '/export/ticket', fileName: 'patches.csv', totalCount: 7 };
    addReplies(reply(exportTicketEndpoint, ticket));
    return vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  }

  test('starts with one click', async () => {
    serve();
    const click = serveExport();
    await open('?criteria=exploited.equal.true');
    await person.click(screen.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(click).toHaveBeenCalledOnce());
    expect(bodiesSentTo(exportTicketEndpoint)).toMatchObject([
      { list: 'all_patches', format: 'csv', search: { filter: 'exploited = true' } },
    ]);
  });

  test('starts with `export:csv` after a search', async () => {
    serve();
    serveExport();
    const search = await open('?keyword=office');
    const bar = screen.getByRole('combobox', { name: 'Search All patches' });
    await fillIn(bar, 'exploited:yes windows export:csv');
    await pressKey('Enter', bar);
    await waitFor(() =>
      expect(bodiesSentTo(exportTicketEndpoint)).toMatchObject([
        { format: 'csv', search: { filter: 'exploited = true', keyword: 'windows' } },
      ]),
    );
    expect(search()).toEqual({ criteria: 'exploited.equal.true', keyword: 'windows' });
  });
});
