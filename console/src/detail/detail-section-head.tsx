/** Heading of a detail table: title, number of rows, and a search input for long tables. */
import { SearchOutlined } from '@ant-design/icons-svg';
import type { DetailTable } from '@patch/catalogue/definition/list-definition.ts';
import { Icon } from '../widgets/icon.tsx';
import { TextInput } from '../widgets/text-input.tsx';
import styles from './detail-section-head.module.css';

/** Minimum number of rows for a search input. */
const minSearchedRows = 8;

interface DetailSectionHeadProps {
  readonly table: DetailTable;
  /** One level below the record's heading. */
  readonly Heading: 'h2' | 'h3';
  readonly shown: number;
  readonly all: number;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

export function DetailSectionHead({
  table,
  Heading,
  shown,
  all,
  words,
  onWords,
}: DetailSectionHeadProps) {
  const label = `Search ${table.label.toLowerCase()}`;
  return (
    <div className={`${styles['head']} flex items-center justify-between gap-4`}>
      <Heading className="text-body font-600">
        {table.label} <span className="text-quiet font-400 figures">{toCountText(shown, all)}</span>
      </Heading>
      {all >= minSearchedRows && (
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
      )}
    </div>
  );
}

const toCountText = (shown: number, all: number) =>
  shown === all
    ? all.toLocaleString('en')
    : `${shown.toLocaleString('en')} of ${all.toLocaleString('en')}`;
