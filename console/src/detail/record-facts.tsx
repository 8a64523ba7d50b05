/** Facts of a record: texts, short facts in columns and long ones at full width, and one line with the missing ones. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identityField, titleField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail, WireValue } from '@patch/contract/base/row-schema.ts';
import { findRowFigure, isMissingCount } from '../fleet/row-figure.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import { FactCells, type ShownFact } from './fact-cells.tsx';
import { FoldSection } from './fold-section.tsx';

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

type AnyField = Field<FieldKind, unknown>;

interface RecordProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

interface RecordTextsProps extends RecordProps {
  /** Names of fields that another part of the record shows. */
  readonly shownElsewhere: ReadonlySet<string>;
}

type NamedField = readonly [name: string, field: AnyField];

/** Returns the vendor's fields: the others are of this repository, or for programs. */
const listVendorFields = ({ fields, detail }: ListDefinition): readonly NamedField[] =>
  Object.entries({ ...fields, ...detail.facts }).filter(
    ([, { stamped, technical }]) => stamped === undefined && technical !== true,
  );

const toShown =
  (list: ListDefinition, record: WireDetail) =>
  ([name, field]: NamedField): ShownFact => ({
    name,
    field,
    value: record[name] as WireValue,
    figure: findRowFigure(list, record, name),
  });

/** Texts that say what a record is: description, instructions, release notes. */
export function RecordTexts({ list, record, shownElsewhere }: RecordTextsProps) {
  const texts = listVendorFields(list).filter(
    ([name, { kind }]) =>
      kind === 'prose' && !shownElsewhere.has(name) && !isEmptyValue(record[name]),
  );
  return <FactCells facts={texts.map(toShown(list, record))} across />;
}

interface RecordFactsProps extends RecordTextsProps {
  readonly Heading: 'h2' | 'h3';
}

/** More facts are folded. */
const maxUnfolded = 6;

/** Short facts, and what the vendor does not provide. Folded, unless they are few or the record is nothing else. */
export function RecordFacts({ list, record, Heading, shownElsewhere }: RecordFactsProps) {
  const fields = listVendorFields(list).filter(([name]) => !shownElsewhere.has(name));
  // The heading of the record shows these fields.
  const headingFields = [identityField(list, record), titleField(list, record)];
  const given = fields.filter(
    ([name, { kind }]) =>
      kind !== 'prose' && !isEmptyValue(record[name]) && !headingFields.includes(name),
  );
  const missing = fields.filter(
    ([name, { sparse }]) =>
      isEmptyValue(record[name]) && sparse !== true && !isMissingCount(list, name),
  );
  if (given.length === 0 && missing.length === 0) return null;
  const facts = (layout: 'cell' | 'across') =>
    given.filter(([, { kind }]) => layoutByKind[kind] === layout).map(toShown(list, record));
  return (
    <FoldSection
      key={record.id}
      id="details"
      Heading={Heading}
      title="Details"
      count={String(given.length)}
      isOpen={list.source === null || given.length <= maxUnfolded}
    >
      <div className="grid gap-4">
        <FactCells facts={facts('cell')} />
        <FactCells facts={facts('across')} across />
        {missing.length > 0 && (
          <p className="text-quiet text-small">
            {list.source === null ? 'Not known' : 'Not provided by the vendor'}:{' '}
            {missing.map(([, { label }]) => label).join(', ')}.
          </p>
        )}
      </div>
    </FoldSection>
  );
}

/** Technical facts of a record, folded: identifiers and the times at which it was stored. */
const storageFacts: Readonly<Record<string, AnyField>> = {
  id: { kind: 'number', label: 'Record number' },
  firstSeenTime: { kind: 'date', label: 'First seen here' },
  changedTime: { kind: 'date', label: 'Changed here' },
};

interface RecordStorageProps extends RecordProps {
  readonly Heading: 'h2' | 'h3';
}

export function RecordStorage({ list, record, Heading }: RecordStorageProps) {
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
    <FoldSection
      key={record.id}
      id="storage"
      Heading={Heading}
      title="Storage"
      count={String(facts.length)}
    >
      <FactCells facts={facts} />
    </FoldSection>
  );
}
