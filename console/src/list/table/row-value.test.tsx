import { getList } from '@patch/catalogue/lists.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RowValue } from './row-value.tsx';

const list = getList('all_patches');

test.each([
  ['Unspecified', 'Important', 'ImportantCVSS'],
  ['Important', 'Important', 'Important'],
  ['Unspecified', 'Unspecified', 'Unspecified'],
])(
  'marks a severity from CVSS when the vendor states %s and the rating is %s',
  async (severity, ratedSeverity, shown) => {
    await renderInApp(
      <div data-testid="cell">
        <RowValue list={list} row={{ id: 1, severity, ratedSeverity }} name="ratedSeverity" />
      </div>,
    );
    expect(screen.getByTestId('cell').textContent).toBe(shown);
  },
);
