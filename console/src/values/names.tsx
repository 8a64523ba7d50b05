/** Names with links and copy buttons: one, the first few with a button for all, or all. */
import { Fragment, use, useState } from 'react';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Popover } from '../widgets/popover.tsx';
import { LinkedIdentifier, LinkedIdentifiers, useLinkedIdentifier } from './linked-identifiers.tsx';
import { nameParts } from './name-parts.ts';
import { vendorPage } from './safe-address.ts';
import type { AnyField } from './value-view.tsx';
import styles from './values.module.css';

interface VendorLinkProps {
  readonly address: string;
  readonly words: string;
  readonly mono?: boolean;
}

/** Not in the tab order, since rows are many; the record offers the same link. */
export function VendorLink({ address, words, mono = false }: VendorLinkProps) {
  return (
    <a
      href={address}
      target="_blank"
      tabIndex={-1}
      rel="noopener noreferrer"
      className={`${styles['lines']} ${mono ? 'mono' : ''}`}
      data-tip={`Opens ${address}`}
      onClick={(event) => event.stopPropagation()}
    >
      <BreakableName name={words} />
    </a>
  );
}

interface NameProps {
  readonly field: AnyField;
  readonly value: string;
}

/** An identifier, with a link to the vendor's page if the field has one. */
export function Name({ field, value }: NameProps) {
  const page = vendorPage(field, value);
  const identifier = useLinkedIdentifier(value);
  if (identifier !== null) return <LinkedIdentifier {...{ field, value, identifier }} />;
  if (page !== undefined) return <VendorLink address={page} words={value} mono />;
  return (
    <span className={`${styles['lines']} mono`} data-tip-when-cut={value}>
      <BreakableName name={value} />
    </span>
  );
}

export function CopyName({ field, value }: NameProps) {
  return (
    <span className={styles['onDemand']}>
      <CopyButton text={value} what={field.label} />
    </span>
  );
}

interface NamesProps {
  readonly field: AnyField;
  readonly names: readonly string[];
  readonly mono?: boolean;
}

/** The first names and the count of the others. */
export function InlineNames({
  field,
  names,
  shown,
  mono = false,
}: NamesProps & { readonly shown: number }) {
  const more = names.length - shown;
  const first = names.slice(0, shown).join(', ');
  return (
    <span className={styles['names']}>
      <span className={`${styles['lines']} ${mono ? 'mono' : ''}`} data-tip-when-cut={first}>
        {mono ? <BreakableName name={first} /> : first}
      </span>
      {more > 0 && <AllNamesButton field={field} names={names} mono={mono} words={`+${more}`} />}
    </span>
  );
}

function AllNamesButton({
  field,
  names,
  mono = false,
  words,
}: NamesProps & { readonly words: string }) {
  const [open, setOpen] = useState(false);
  const inRecord = use(LinkedIdentifiers);
  return (
    <Popover
      open={open}
      onClose={() => setOpen(false)}
      label={`${names.length.toLocaleString('en')} ${field.label}`}
      content={
        <div className={styles['panel']}>
          <div className={styles['panelHead']}>
            {names.length.toLocaleString('en')} {field.label}
            <CopyButton text={names.join('\n')} what={`all ${field.label}`} />
          </div>
          <div className={styles['panelBody']}>
            <AllNames field={field} names={names} mono={mono} />
          </div>
        </div>
      }
    >
      <button
        type="button"
        // Reachable by keyboard only in a record; for a row, the record shows all names.
        tabIndex={inRecord ? 0 : -1}
        className={styles['count']}
        aria-label={`${words} more, show all ${names.length} of ${field.label}`}
        aria-expanded={open}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!open);
        }}
      >
        {words}
      </button>
    </Popover>
  );
}

export function AllNames({ field, names, mono = false }: NamesProps) {
  return (
    <ul className={styles['tags']}>
      {[...new Set(names)].map((name) => (
        <li key={name} className={`${styles['tag']} ${mono ? 'mono' : ''}`}>
          <ListedName field={field} value={name} />
        </li>
      ))}
    </ul>
  );
}

function ListedName({ field, value }: NameProps) {
  const page = vendorPage(field, value);
  const identifier = useLinkedIdentifier(value);
  if (identifier !== null) return <LinkedIdentifier {...{ field, value, identifier }} />;
  if (page === undefined) return value;
  return (
    <a href={page} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  );
}

/** Shorter names fit in any column. */
const minLength = 12;

/** Renders a long name with line-break opportunities between its parts. */
export function BreakableName({ name }: { readonly name: string }) {
  if (name.length < minLength) return name;
  return nameParts(name).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
