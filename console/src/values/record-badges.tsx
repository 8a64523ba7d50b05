/** Badges of a record: one for each flag field that is true and has a badge. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import type { WireDetail, WireRow } from '@patch/contract/row-schema.ts';
import styles from './record-badges.module.css';

interface RecordBadgesProps {
  readonly list: ListDefinition;
  readonly record: WireRow | WireDetail;
  /** Fields that are shown elsewhere. */
  readonly except?: readonly string[];
}

export function RecordBadges({ list, record, except = [] }: RecordBadgesProps) {
  const shown = badgeFields(list).filter(
    ({ name }) => record[name] === true && !except.includes(name),
  );
  if (shown.length === 0) return null;
  return (
    <span className={styles['badges']}>
      {shown.map(({ name, label, help, badge }) => (
        <span key={name} className={styles['badge']} data-badge={badge} data-tip={help}>
          {label}
        </span>
      ))}
    </span>
  );
}
