/** Names with links and copy buttons: one, the first few with a button for all, or all. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { use, useState } from 'react';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Popover } from '../widgets/popover.tsx';
import { BreakableName } from './breakable-name.tsx';
import { LinkedIdentifier, LinkedIdentifiers, useLinkedIdentifier } from './linked-identifiers.tsx';
import { vendorPage } from './safe-address.ts';
import styles from './values.module.css';

type AnyField = Field<FieldKind, unknown>;

/** Not in the tab order, since rows are many; the record offers the same link. */
export function VendorLink({
  address,
  words,
  mono = false,
}: {
  readonly address: string;
  readonly words: string;
  readonly mono?: boolean;
}) {
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

/** A name, with a link to the vendor's page if the field has one. */
export function Name({
  field,
  value,
  mono = true,
}: {
  readonly field: AnyField;
  readonly value: string;
  readonly mono?: boolean;
}) {
  const page = vendorPage(field, value);
  const identifier = useLinkedIdentifier(value);
  if (identifier !== null)
    return <LinkedIdentifier field={field} value={value} identifier={identifier} />;
  if (page !== undefined) return <VendorLink address={page} words={value} mono={mono} />;
  return (
    <span className={`${styles['lines']} ${mono ? 'mono' : ''}`} data-tip-when-cut={value}>
      <BreakableName name={value} />
    </span>
  );
}

export function CopyName({ field, value }: { readonly field: AnyField; readonly value: string }) {
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
  return (
    <span className={styles['names']}>
      <span
        className={`${styles['lines']} ${mono ? 'mono' : ''}`}
        data-tip-when-cut={names.slice(0, shown).join(', ')}
      >
        {mono ? (
          <BreakableName name={names.slice(0, shown).join(', ')} />
        ) : (
          names.slice(0, shown).join(', ')
        )}
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
          <ListedName field={field} name={name} />
        </li>
      ))}
    </ul>
  );
}

function ListedName({ field, name }: { readonly field: AnyField; readonly name: string }) {
  const page = vendorPage(field, name);
  const identifier = useLinkedIdentifier(name);
  if (identifier !== null)
    return <LinkedIdentifier field={field} value={name} identifier={identifier} />;
  if (page === undefined) return name;
  return (
    <a href={page} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}
