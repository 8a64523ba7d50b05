import { specified } from '@patch/catalogue/testing/specified.ts';
import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { person } from '../../testing/person.ts';
import { HeadResizer } from './list-table.tsx';

test('limits dragging to the minimum width', async () => {
  HTMLElement.prototype.setPointerCapture = () => {};
  const onWidth = vi.fn<(width: number) => void>();
  const { container } = render(<HeadResizer width={200} onWidth={onWidth} />);
  const edge = container.firstElementChild as HTMLElement;
  const drag = (by: number) =>
    person.pointer([
      { keys: '[MouseLeft>]', target: edge, coords: { clientX: 500 } },
      { keys: '[/MouseLeft]', target: edge, coords: { clientX: 500 + by } },
    ]);
  await drag(-(200 - specified.columnMinWidth) + 1);
  await drag(-190);
  await drag(40);
  expect(onWidth.mock.calls).toEqual([
    [specified.columnMinWidth + 1],
    [specified.columnMinWidth],
    [240],
  ]);
});
