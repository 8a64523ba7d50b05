/** Value of a row: a number of records links to these records, and a machine without counts says why. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import { NoCounts } from '../../fleet/being-judged.tsx';
import styles from '../../fleet/fleet.module.css';
import { findPossibleFigure, findRowFigure, isMissingCount } from '../../fleet/row-figure.ts';
import { Cell } from '../../values/cell-of-kind.tsx';
import { FigureLink } from '../../widgets/figure-link.tsx';

export interface RowValueProps {
  readonly list: ListDefinition;
  readonly row: WireRow | WireDetail;
  readonly name: string;
}

export function CountedValue({ list, row, name }: RowValueProps) {
  const field = getField(list, name);
  const value = row[name] as WireRow[string];
  const figure = findRowFigure(list, row, name);
  if (figure !== null)
    return <FigureLink figure={figure} counts={`${field.label}, ${getName(list, row)}`} />;
  const possible = findPossibleFigure(list, row, name);
  if (possible !== null)
    return (
      // In a narrow column on two lines.
      <span className={styles['noCounts']}>
        <FigureLink
          figure={possible}
          counts={`may be missing, or need a subscription, ${getName(list, row)}`}
        />{' '}
        may be
      </span>
    );
  if (isMissingCount(list, name) && typeof value !== 'number')
    return (
      <NoCounts
        reportedOn={typeof row['createdTime'] === 'number' ? row['createdTime'] : null}
        isBeingJudged={typeof row['judgedOn'] !== 'number'}
      />
    );
  return <Cell field={field} value={value} />;
}

const getName = (list: ListDefinition, row: RowValueProps['row']): string =>
  String(list.identity.map((name) => row[name]).find((name) => typeof name === 'string') ?? row.id);
