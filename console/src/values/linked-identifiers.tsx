/** Links a CVE or KB within a record to all records that mention it, with a second, smaller link to the vendor's page. */
import { parseSharedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { Link } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { identifierPath } from '../widgets/list-paths.ts';
import { OutArrow } from './out-arrow.tsx';
import { vendorPage } from './safe-address.ts';
import type { AnyField } from './value-view.tsx';
import styles from './values.module.css';

/** True within a record. */
export const LinkedIdentifiers = createContext(false);

/** Returns the shared identifier of a value within a record; otherwise null. */
export function useLinkedIdentifier(value: string): string | null {
  return use(LinkedIdentifiers) ? parseSharedIdentifier(value) : null;
}

interface LinkedIdentifierProps {
  readonly field: AnyField;
  /** Spelled as by the vendor. */
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
