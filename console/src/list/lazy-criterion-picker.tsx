/** The picker of a criterion, fetched when one is first asked: its calendar alone is larger than the list. */
import { type ComponentProps, lazy, Suspense } from 'react';
import type { CriterionPicker } from './criterion-picker.tsx';

const Picker = lazy(async () => ({ default: (await import('./criterion-picker.tsx')).CriterionPicker }));

export function LazyCriterionPicker(props: ComponentProps<typeof CriterionPicker>) {
  return (
    <Suspense fallback={<div aria-busy="true" />}>
      <Picker {...props} />
    </Suspense>
  );
}
