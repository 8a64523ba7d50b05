/** Value of a row. The lists whose rows have numbers of other records load the links to these, which the others do without. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { lazy, Suspense } from 'react';
import { limitChunkLoading } from '../../theme/chunk-in-time.ts';
import { Cell } from '../../values/cell-of-kind.tsx';
import { isDerived } from '../../values/choice-severity.ts';
import { DerivedMark } from '../../values/derived-mark.tsx';
import type { RowValueProps } from './counted-value.tsx';

const CountedValue = lazy(async () => ({
  default: (await limitChunkLoading(import('./counted-value.tsx'))).CountedValue,
}));

const countedLists: readonly string[] = ['machines', 'vulnerabilities'];

export function RowValue(props: RowValueProps) {
  const { list, row, name } = props;
  const field = getField(list, name);
  const value = row[name] as WireRow[string];
  const cell = <Cell field={field} value={value} />;
  if (isDerived(field, row, name))
    return (
      <span className="flex items-center gap-1">
        {cell}
        <DerivedMark />
      </span>
    );
  return countedLists.includes(list.key) ? (
    <Suspense fallback={cell}>
      <CountedValue {...props} />
    </Suspense>
  ) : (
    cell
  );
}
