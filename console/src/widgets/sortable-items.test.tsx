import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { movedKeys, SortableItems } from './sortable-items.tsx';

test('an item takes the place of the one it is put down on, and the others move up', () => {
  const keys = ['a', 'b', 'c', 'd'];
  expect(movedKeys(keys, 'a', 'c')).toEqual(['b', 'c', 'a', 'd']);
  expect(movedKeys(keys, 'd', 'a')).toEqual(['d', 'a', 'b', 'c']);
  expect(movedKeys(keys, 'b', 'b')).toBe(keys);
});

test('each item has a handle with its name', () => {
  render(
    <ul>
      <SortableItems keys={['a', 'b']} labelOf={(key) => `item ${key}`} render={(key) => <span>{key}!</span>} onSort={() => {}} />
    </ul>,
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['a!', 'b!']);
  expect(screen.getByRole('button', { name: 'Move item a' }).getAttribute('aria-roledescription')).toBe('sortable');
});
