import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useSteps } from './use-steps.ts';

afterEach(cleanup);

test('returns one more part after each render until all are rendered', () => {
  const seen: number[] = [];
  function Parts({ parts }: { readonly parts: number }) {
    const steps = useSteps(parts);
    seen.push(steps);
    return <p>{steps}</p>;
  }
  const { rerender } = render(<Parts parts={3} />);
  expect(screen.getByText('3')).toBeTruthy();
  expect([...new Set(seen)]).toEqual([0, 1, 2, 3]);
  rerender(<Parts parts={2} />);
  expect(screen.getByText('2')).toBeTruthy();
  rerender(<Parts parts={4} />);
  expect(screen.getByText('4')).toBeTruthy();
});
