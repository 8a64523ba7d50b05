import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { MachineActions } from './machine-actions.tsx';

const shownButtons = async (path: string) => {
  await renderInApp(<MachineActions />, {
    route: '/machines',
    path,
    session: { userType: 'Admin' },
  });
  return screen.getAllByRole('button').map(({ textContent }) => textContent);
};

test.each(['/machines', '/machines?criteria=release.contains.Alma'])(
  'offers groups, tags and plans for the machines of %s',
  async (path) => {
    expect(await shownButtons(path)).toEqual(
      expect.arrayContaining(['Save as group', 'Tags', 'Plan updates']),
    );
  },
);

test.each(['web', '5034441'])(
  'offers no group, tags or plan when a keyword narrows the list: %s',
  async (word) => {
    expect(await shownButtons(`/machines?keyword=${word}`)).toEqual(['Add machines']);
    expect(screen.getByText('Groups, tags and plans need criteria without a keyword')).toBeTruthy();
  },
);
