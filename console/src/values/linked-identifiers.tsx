/** In a record, a CVE or KB leads to everything that names it; the vendor's page about it stays a second, smaller way. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { sharedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { Link } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { identifierPath } from '../widgets/list-paths.ts';
import { OutArrow } from './out-arrow.tsx';
import { vendorPage } from './safe-address.ts';
import styles from './values.module.css';

/** True inside of a record. */
export const LinkedIdentifiers = createContext(false);

/** The identifier that a value is and that leads to a page of ours; null for all else. */
export function useLinkedIdentifier(value: string): string | null {
  return use(LinkedIdentifiers) ? sharedIdentifier(value) : null;
}

interface LinkedIdentifierProps {
  readonly field: Field<FieldKind, unknown>;
  /** As the vendor wrote it. */
  readonly value: string;
  readonly identifier: string;
}

export function LinkedIdentifier({ field, value, identifier }: LinkedIdentifierProps) {
  const page = vendorPage(field, value);
  return (
    <span className={styles['linked']}>
      <Link
        to={identifierPath(identifier)}
        preload={false}
        className="mono"
        title={`All records that mention ${identifier}`}
      >
        {value}
      </Link>
      {page === undefined ? null : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className={styles['atVendor']}
          aria-label={`${value} at the vendor`}
          title={`Opens ${page}`}
        >
          <OutArrow />
        </a>
      )}
    </span>
  );
}
