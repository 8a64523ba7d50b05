import { specified } from '@patch/catalogue/testing/specified.ts';
import { fireEvent, render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { HeadResizer } from './head-resizer.tsx';

test('a column is dragged to no less than the minimum width', () => {
  HTMLElement.prototype.setPointerCapture = () => {};
  const onWidth = vi.fn<(width: number) => void>();
  const { container } = render(<HeadResizer width={200} onWidth={onWidth} />);
  const edge = container.firstElementChild as HTMLElement;
  const drag = (by: number) => {
    fireEvent.pointerDown(edge, { clientX: 500, pointerId: 1 });
    fireEvent.pointerUp(edge, { clientX: 500 + by, pointerId: 1 });
  };
  drag(-(200 - specified.columnMinWidth) + 1);
  drag(-190);
  drag(40);
  expect(onWidth.mock.calls).toEqual([
    [specified.columnMinWidth + 1],
    [specified.columnMinWidth],
    [240],
  ]);
});
