/** Technical facts of a record, folded: identifiers and the times at which it was stored. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/row-schema.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import { FactCells } from './fact-cells.tsx';
import styles from './record-storage.module.css';

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
    <details className={styles['storage']}>
      <summary>Storage</summary>
      <FactCells facts={facts} />
    </details>
  );
}
