/** Facts of a record: short ones in columns, long ones at full width, and one line with the missing ones. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField, titleField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/row-schema.ts';
import { findRowFigure, isMissingCount } from '../fleet/row-figure.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import { FactCells } from './fact-cells.tsx';

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
    <div className="grid gap-4">
      <FactCells facts={facts('cell')} />
      <FactCells facts={facts('across')} across />
      {missing.length > 0 && (
        <p className="text-quiet text-small">
          Not provided by the vendor: {missing.map(([, { label }]) => label).join(', ')}.
        </p>
      )}
    </div>
  );
}

/** Technical facts of a record, folded: identifiers and the times at which it was stored. */
type AnyField = Field<FieldKind, unknown>;

const storageFacts: Readonly<Record<string, AnyField>> = {
  id: { kind: 'number', label: 'Record number' },
  firstSeenTime: { kind: 'date', label: 'First seen here' },
  changedTime: { kind: 'date', label: 'Changed here' },
};

interface RecordStorageProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

export function RecordStorage({ list, record }: RecordStorageProps) {
  const technical = Object.entries({ ...list.fields, ...list.detail.facts }).filter(
    ([name, field]) =>
      field.technical === true &&
      !isEmptyValue(record[name]) &&
      name !== identityField(list, record),
  );
  const facts = [...technical, ...Object.entries(storageFacts)].map(([name, field]) => ({
    name,
    field,
    value: record[name] as WireValue,
  }));
  return (
    <details>
      <summary className="py-1 text-quiet text-dense cursor-pointer">Storage</summary>
      <div className="mt-2">
        <FactCells facts={facts} />
      </div>
    </details>
  );
}
