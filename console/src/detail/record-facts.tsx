/** Every fact of a record that the vendor gave: short ones in two columns, long ones across, the missing ones named in one line. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField, titleField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/row-schema.ts';
import { Fact } from '../values/fact-of-kind.tsx';
import { isEmptyValue } from '../values/value-view.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import styles from './record-facts.module.css';

type AnyField = Field<FieldKind, unknown>;

/** How much room a kind takes: a cell of two columns, or the width of the record. */
const roomOfKind: Record<FieldKind, 'cell' | 'across'> = {
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

const repositorysOwn: Readonly<Record<string, AnyField>> = {
  firstSeenTime: { kind: 'date', label: 'First seen here' },
  changedTime: { kind: 'date', label: 'Changed here' },
  id: { kind: 'number', label: 'Record number' },
};

interface RecordFactsProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** A fact that stands in another part of the record. */
  readonly toldBelow?: string | undefined;
}

export function RecordFacts({ list, record, toldBelow }: RecordFactsProps) {
  const vendors = Object.entries({ ...list.fields, ...list.detail.facts }).filter(
    ([name, { stamped }]) => stamped === undefined && name !== toldBelow,
  );
  // What heads the record is not said again below it.
  const heading = [identityField(list, record), titleField(list, record)];
  const given = vendors.filter(([name]) => !isEmptyValue(record[name]) && !heading.includes(name));
  const missing = vendors.filter(
    ([name, { sparse }]) => isEmptyValue(record[name]) && sparse !== true,
  );
  const inCells = given.filter(([, { kind }]) => roomOfKind[kind] === 'cell');
  const across = given.filter(([, { kind }]) => roomOfKind[kind] === 'across');
  const facts = (entries: readonly (readonly [string, AnyField])[]) =>
    entries.map(([name, field]) => (
      <OneFact key={name} field={field} value={record[name] as WireValue} />
    ));
  return (
    <div className={styles['facts']}>
      <dl className={styles['cells']}>{facts(inCells)}</dl>
      {across.length > 0 && <dl className={styles['across']}>{facts(across)}</dl>}
      <dl className={`${styles['cells']} ${styles['own']}`}>
        {facts(Object.entries(repositorysOwn))}
      </dl>
      {missing.length > 0 && (
        <p className={styles['missing']}>
          Not provided by the vendor: {missing.map(([, { label }]) => label).join(', ')}.
        </p>
      )}
    </div>
  );
}

function OneFact({ field, value }: { readonly field: AnyField; readonly value: WireValue }) {
  const several = Array.isArray(value) && value.length > 1;
  return (
    <div className={styles['fact']}>
      <dt title={field.help}>
        {field.label}
        {several && (
          <>
            {' '}
            <span className={styles['count']}>{value.length}</span>{' '}
            <CopyButton text={value.join('\n')} what={`all ${field.label}`} />
          </>
        )}
      </dt>
      <dd>
        <Fact field={field} value={value} />
      </dd>
    </div>
  );
}
