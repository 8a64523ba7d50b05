/** Table cell of each field kind: one line, cheap enough for a thousand rows. */
import { ChoiceMark } from './choice-mark.tsx';
import { useDateTexts } from './date-ago.tsx';
import { isInstant } from './day-date.ts';
import { fileSize } from './file-size.ts';
import { CopyName, InlineNames, Name, VendorLink } from './names.tsx';
import { safeAddress } from './safe-address.ts';
import { decimalText, exactPercentText } from './share-text.ts';
import {
  type AnyValueProps,
  labelFor,
  type ValueProps,
  ValueView,
  type ViewOfKind,
} from './value-view.tsx';
import styles from './values.module.css';

interface TextProps {
  readonly value: string;
  /** Visible part of a shortened text; undefined shows all of it. */
  readonly shown?: string | undefined;
}

/** Shows a part of a text. Screen readers and the tip get all of it. */
export function ShortenedText({ value, shown }: TextProps) {
  if (shown === undefined) return value;
  return (
    <>
      <span aria-hidden>{shown}</span>
      <span className="visually-hidden">{value}</span>
    </>
  );
}

/** Returns the tip attributes of the element around the text. */
export const buildTextTip = (value: string, shown: string | undefined) =>
  shown === undefined ? { 'data-tip-when-cut': value } : { 'data-tip': value };

/** Text that CSS may truncate. The tooltip shows all of it. */
export function InlineText({ value, shown }: TextProps) {
  return (
    <span className={styles['lines']} {...buildTextTip(value, shown)}>
      <ShortenedText value={value} shown={shown} />
    </span>
  );
}

function InlineDate(props: ValueProps<'date'>) {
  const { day, ago, tip } = useDateTexts(props);
  const { value } = props;
  if (!isInstant(value)) return <span>{value}</span>;
  return (
    <time dateTime={new Date(value).toISOString()} className={styles['date']} data-tip={tip}>
      {day} <span className={styles['ago']}>{ago}</span>
    </time>
  );
}

const cellOfKind: ViewOfKind = {
  text: ({ field, value }) => <InlineText value={labelFor(field, value)} />,
  prose: InlineText,
  identifier: ({ field, value }) => {
    const label = labelFor(field, value);
    return label === value ? (
      <span className={styles['name']}>
        <Name field={field} value={value} />
        <CopyName field={field} value={value} />
      </span>
    ) : (
      <span className={styles['lines']} data-tip={`${label}: ${value}`}>
        {label}
      </span>
    );
  },
  identifiers: ({ field, value }) => <InlineNames field={field} names={value} shown={2} mono />,
  tags: ({ field, value }) => <InlineNames field={field} names={value} shown={3} />,
  choice: ChoiceMark,
  // No thousands separators: most integers are ids of records.
  number: ({ value }) => <span>{value}</span>,
  decimal: ({ field, value }) => (
    <span data-tip={field.share && exactPercentText(value)}>{decimalText(value, field.share)}</span>
  ),
  size: ({ value }) => (
    <span data-tip={`${value.toLocaleString('en')} bytes`}>{fileSize(value)}</span>
  ),
  date: InlineDate,
  flag: ({ field, value }) => (
    <span className={value && field.badge === 'danger' ? styles['danger'] : undefined}>
      {value ? 'Yes' : 'No'}
    </span>
  ),
  link: ({ value }) => {
    const address = safeAddress(value);
    return address === undefined ? (
      <InlineText value={value} />
    ) : (
      <VendorLink address={address} words={new URL(address).host} />
    );
  },
};

export const Cell = (props: AnyValueProps) => <ValueView views={cellOfKind} {...props} />;
