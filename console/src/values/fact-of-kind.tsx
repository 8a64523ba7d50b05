/** View of each field kind in a record: untruncated and wrapped. */
import { CopyButton } from '../widgets/copy-button.tsx';
import { ReadMoreBlock } from '../widgets/read-more-block.tsx';
import { ChoiceMark } from './choice-mark.tsx';
import { useDateTexts } from './date-ago.tsx';
import { isInstant } from './day-date.ts';
import { fileSize } from './file-size.ts';
import { LinkedIdentifier, useLinkedIdentifier } from './linked-identifiers.tsx';
import { AllNames } from './names.tsx';
import { OutArrow } from './out-arrow.tsx';
import { safeAddress, vendorPage } from './safe-address.ts';
import { decimalText, exactPercentText } from './share-text.ts';
import {
  type AnyValueProps,
  labelFor,
  type ValueProps,
  ValueView,
  type ViewOfKind,
} from './value-view.tsx';
import styles from './values.module.css';

function NamesFact({
  field,
  value,
  mono = false,
}: ValueProps<'identifiers' | 'tags'> & { readonly mono?: boolean }) {
  const all = <AllNames field={field} names={value} mono={mono} />;
  return value.length > 12 ? <ReadMoreBlock>{all}</ReadMoreBlock> : all;
}

function OutsideLink({ address, words }: { readonly address: string; readonly words: string }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {words} <OutArrow />
    </a>
  );
}

function IdentifierFact({ field, value }: ValueProps<'identifier'>) {
  const page = vendorPage(field, value);
  const identifier = useLinkedIdentifier(value);
  const label = labelFor(field, value);
  return (
    <span className={styles['fact']}>
      {identifier !== null ? (
        <LinkedIdentifier field={field} value={value} identifier={identifier} />
      ) : label !== value ? (
        <span>
          {label} <span className={`mono ${styles['quiet']}`}>{value}</span>
        </span>
      ) : (
        <span className="mono">
          {page === undefined ? value : <OutsideLink address={page} words={value} />}
        </span>
      )}
      <span className={styles['copy']}>
        <CopyButton text={value} what={field.label} />
      </span>
    </span>
  );
}

function DateFact(props: ValueProps<'date'>) {
  const { exact, ago, zone } = useDateTexts(props);
  const { value } = props;
  if (!isInstant(value)) return <span>{value}</span>;
  return (
    <time dateTime={new Date(value).toISOString()} title={zone ?? undefined}>
      {exact} <span className={styles['quiet']}>{ago}</span>
    </time>
  );
}

const factOfKind: ViewOfKind = {
  text: ({ field, value }) => <span className={styles['prose']}>{labelFor(field, value)}</span>,
  prose: ({ value }) => (
    <ReadMoreBlock>
      <p className={styles['prose']}>{value}</p>
    </ReadMoreBlock>
  ),
  identifier: IdentifierFact,
  identifiers: (props) => <NamesFact {...props} mono />,
  tags: NamesFact,
  choice: ChoiceMark,
  number: ({ value }) => <span className="figures">{value}</span>,
  decimal: ({ field, value }) => (
    <span className="figures" title={field.share && exactPercentText(value)}>
      {decimalText(value, field.share)}
    </span>
  ),
  size: ({ value }) => (
    <span className="figures" title={`${value.toLocaleString('en')} bytes`}>
      {fileSize(value)}
    </span>
  ),
  date: DateFact,
  flag: ({ value }) => <span>{value ? 'Yes' : 'No'}</span>,
  link: ({ value, field }) => {
    const address = safeAddress(value);
    return (
      <span className={styles['fact']}>
        {address === undefined ? (
          value
        ) : (
          <OutsideLink
            address={address}
            words={address.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          />
        )}
        <span className={styles['copy']}>
          <CopyButton text={value} what={field.label} />
        </span>
      </span>
    );
  },
};

export const Fact = (props: AnyValueProps) => <ValueView views={factOfKind} {...props} />;
