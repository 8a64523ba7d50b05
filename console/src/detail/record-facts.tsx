/** Facts of a record: short ones in columns, long ones at full width, and one line with the missing ones. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField, titleField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/row-schema.ts';
import { findRowFigure, isMissingCount } from '../fleet/row-figure.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import { FactCells } from './fact-cells.tsx';
import styles from './record-facts.module.css';

/** Layout of each field kind: a cell of a column, or the full width. */
const layoutByKind: Record<FieldKind, 'cell' | 'across'> = {
  text: 'cell',
  identifier: 'cell',
  tags: 'cell',
  choice: 'cell',
  number: 'cell',
  decimal: 'cell',
  size: 'cell',
  date: 'cell',
  flag: 'cell',
  prose: 'across',
  identifiers: 'across',
  link: 'across',
};

interface RecordFactsProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** Names of fields that another part of the record shows. */
  readonly shownElsewhere: ReadonlySet<string>;
}

export function RecordFacts({ list, record, shownElsewhere }: RecordFactsProps) {
  const vendorFields = Object.entries({ ...list.fields, ...list.detail.facts }).filter(
    ([name, { stamped, technical }]) =>
      stamped === undefined && technical !== true && !shownElsewhere.has(name),
  );
  // The heading of the record shows these fields.
  const headingFields = [identityField(list, record), titleField(list, record)];
  const given = vendorFields.filter(
    ([name]) => !isEmptyValue(record[name]) && !headingFields.includes(name),
  );
  const missing = vendorFields.filter(
    ([name, { sparse }]) =>
      isEmptyValue(record[name]) && sparse !== true && !isMissingCount(list, name),
  );
  const facts = (layout: 'cell' | 'across') =>
    given
      .filter(([, { kind }]) => layoutByKind[kind] === layout)
      .map(([name, field]) => ({
        name,
        field,
        value: record[name] as WireValue,
        figure: findRowFigure(list, record, name),
      }));
  return (
    <div className={styles['facts']}>
      <FactCells facts={facts('cell')} />
      <FactCells facts={facts('across')} across />
      {missing.length > 0 && (
        <p className={styles['missing']}>
          Not provided by the vendor: {missing.map(([, { label }]) => label).join(', ')}.
        </p>
      )}
    </div>
  );
}
