/** Button of a row that stands for an update: opens its other records in place. */
import { DownOutlined, RightOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import { type Counted, formatNumber, inflect } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import styles from './group-toggle.module.css';

interface GroupToggleProps {
  readonly list: ListDefinition;
  /** Undefined for a row that stands for itself. */
  readonly group: RowGroup | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Renders nothing for an update of one record. A click on it does not open the row: see `isOnBookmark`. */
export function GroupToggle({ list, group, isOpen, onToggle }: GroupToggleProps) {
  if (group === undefined || group.records < 2) return null;
  const { matching, records } = group;
  const words = (
    <span>
      {matching < records && `${formatNumber(matching)} of `}
      {formatNumber(records)}
      <span className={styles['unit']}> {inflect(records, countedUnit(list))}</span>
    </span>
  );
  if (matching === 1) return <span className={styles['words']}>{words}</span>;
  return (
    <button
      type="button"
      data-mark
      className={styles['toggle']}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Icon of={isOpen ? DownOutlined : RightOutlined} /> {words}
    </button>
  );
}

/** A list with one product in each row has the products of an update. */
const countedUnit = ({ fields }: ListDefinition): Counted =>
  fields['productName']?.kind === 'text' ? ['product', 'products'] : ['record', 'records'];
