/** A suggestion of the search bar, in words. */
import { SearchOutlined } from '@ant-design/icons-svg';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getSortLabel } from '@patch/catalogue/definition/sort-fields.ts';
import type { QueryPart } from '@patch/contract/records/search-endpoint.ts';
import { criterionText } from '../../values/criterion-text.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { formatCount } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import styles from './search-bar.module.css';
import type { Suggestion } from './search-suggestions.ts';

export function SuggestionWords({
  list,
  suggestion,
}: {
  readonly list: ListDefinition;
  readonly suggestion: Suggestion;
}) {
  switch (suggestion.kind) {
    case 'reading':
      return (
        <>
          <Icon of={SearchOutlined} />
          <span className={styles['parts']}>
            {suggestion.reading.parts
              .filter(({ text }) => text !== '')
              .map((part) => (
                <QueryPartWords key={part.text} list={list} part={part} />
              ))}
            {suggestion.reading.totalCount !== null && (
              <span>{formatCount(suggestion.reading.totalCount, ['record', 'records'])}</span>
            )}
          </span>
          <kbd>Enter</kbd>
        </>
      );
    case 'words':
      return (
        <>
          <Icon of={SearchOutlined} /> Search for <strong>{suggestion.typed}</strong>{' '}
          {suggestion.instead !== undefined && (
            <>
              instead of <strong>{suggestion.instead}</strong>{' '}
            </>
          )}
          {suggestion.asWritten === true ? 'as written' : <kbd>Enter</kbd>}
        </>
      );
    case 'also':
      return (
        <>
          <Icon of={SearchOutlined} /> Search for <strong>{suggestion.keyword}</strong> and{' '}
          <strong>{suggestion.typed}</strong> <kbd>Shift+Enter</kbd>
        </>
      );
    case 'field':
      return (
        <>
          {suggestion.label} <code>{suggestion.paramName}</code>
        </>
      );
    case 'value':
      return (
        <>
          {suggestion.label} <code>{suggestion.typed}</code>
        </>
      );
  }
}

interface QueryPartWordsProps {
  readonly list: ListDefinition;
  readonly part: QueryPart;
}

/** Operators that a value says by itself. */
const evidentOperators = new Set(['equal', 'in', 'contains', 'start_with', 'between']);

/** A part of the typed words: the field and value that it means, or the word that is searched for it. */
function QueryPartWords({
  list,
  part: { text, criterion, keyword, corrected, leftOut, sort },
}: QueryPartWordsProps) {
  const zone = useReaderZone();
  if (sort !== undefined)
    return (
      <span className={styles['part']}>
        <strong>{getSortLabel(list, sort)}</strong>
      </span>
    );
  if (leftOut === true)
    return (
      <span className={styles['part']}>
        left out: <s>{text}</s>
      </span>
    );
  if (criterion === undefined)
    return (
      <span className={styles['part']}>
        {corrected === true && <>{text} → </>}
        <strong>{keyword}</strong>
      </span>
    );
  const words = criterionText(getField(list, criterion.paramName), criterion, zone);
  const isEvident = words.operator === 'is' || evidentOperators.has(criterion.operator);
  return (
    <span className={styles['part']}>
      {words.label} {!isEvident && `${words.operator} `}
      <strong>{words.value}</strong>
    </span>
  );
}
