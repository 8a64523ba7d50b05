/** How each kind of value is shown in a row: on one line, quick enough to be drawn a thousand times. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { WireValue } from '@patch/contract/row-schema.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { ChoiceMark } from './choice-mark.tsx';
import { dateTexts, isInstant } from './day-date.ts';
import { fileSize } from './file-size.ts';
import { CopyName, Name, NamesInLine, VendorLink } from './names.tsx';
import { useReaderZone } from './reader-zone.ts';
import { safeAddress } from './safe-address.ts';
import { ShortenedText, tipOfText } from './shortened-text.tsx';
import { labelFor, type ValueProps, ValueView, type ViewOfKind } from './value-view.tsx';
import styles from './values.module.css';

interface TextProps {
  readonly value: string;
  /** What is shown of a text that is shortened; undefined: the whole text. */
  readonly shown?: string | undefined;
}

/** Text that may be cut; the table's tooltip shows all of the text. */
export function TextInLine({ value, shown }: TextProps) {
  return (
    <span className={styles['lines']} {...tipOfText(value, shown)}>
      <ShortenedText value={value} shown={shown} />
    </span>
  );
}

function DateInLine({ field, value }: ValueProps<'date'>) {
  const reader = { zone: useReaderZone(), now: useNow() };
  if (!isInstant(value)) return <span>{value}</span>;
  const { day, exact, ago, zone } = dateTexts(field, value, reader);
  return (
    <time
      dateTime={new Date(value).toISOString()}
      className={styles['date']}
      data-tip={zone === null ? exact : `${exact} (${zone})`}
    >
      {day} <span className={styles['ago']}>{ago}</span>
    </time>
  );
}

const cellOfKind: ViewOfKind = {
  text: ({ field, value }) => <TextInLine value={labelFor(field, value)} />,
  prose: TextInLine,
  identifier: ({ field, value }) => (
    <span className={styles['name']}>
      <Name field={field} value={value} />
      <CopyName field={field} value={value} />
    </span>
  ),
  identifiers: ({ field, value }) => <NamesInLine field={field} names={value} shown={2} mono />,
  tags: ({ field, value }) => <NamesInLine field={field} names={value} shown={3} />,
  choice: ChoiceMark,
  // Most whole numbers here are names of records: no separators.
  number: ({ value }) => <span>{value}</span>,
  decimal: ({ value }) => <span>{value}</span>,
  size: ({ value }) => (
    <span data-tip={`${value.toLocaleString('en')} bytes`}>{fileSize(value)}</span>
  ),
  date: DateInLine,
  flag: ({ field, value }) => (
    <span className={value && field.badge === 'danger' ? styles['danger'] : undefined}>
      {value ? 'Yes' : 'No'}
    </span>
  ),
  link: ({ value }) => {
    const address = safeAddress(value);
    return address === undefined ? (
      <TextInLine value={value} />
    ) : (
      <VendorLink address={address} words={new URL(address).host} />
    );
  },
};

export function Cell(props: {
  readonly field: Field<FieldKind, unknown>;
  readonly value: WireValue;
}) {
  return <ValueView views={cellOfKind} {...props} />;
}
