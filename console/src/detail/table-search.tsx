/** Search input above the rows of a long table. */
import { SearchOutlined } from '@ant-design/icons-svg';
import { Icon } from '../widgets/icon.tsx';
import { TextInput } from '../widgets/text-input.tsx';
import styles from './table-search.module.css';

/** Minimum number of rows for a search input. */
const minSearchedRows = 8;

interface TableSearchProps {
  /** Label of the table. */
  readonly table: string;
  readonly rowCount: number;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

/** Renders nothing for a short table. */
export function TableSearch({ table, rowCount, words, onWords }: TableSearchProps) {
  if (rowCount < minSearchedRows) return null;
  const label = `Search ${table.toLowerCase()}`;
  return (
    <TextInput
      type="search"
      prefix={<Icon of={SearchOutlined} />}
      size="small"
      className={styles['search'] ?? ''}
      placeholder={label}
      aria-label={label}
      value={words}
      onChange={({ target }) => onWords(target.value)}
    />
  );
}

/** Returns '412', or '3 of 412' while a search hides rows. */
export const toCountText = (shown: number, all: number): string =>
  shown === all
    ? all.toLocaleString('en')
    : `${shown.toLocaleString('en')} of ${all.toLocaleString('en')}`;
