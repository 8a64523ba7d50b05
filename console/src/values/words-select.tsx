/** Input of several values, typed or pasted, optionally with suggestions once the typing pauses. */

import { searchTagsEndpoint } from '@patch/contract/records/search-tags-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { durations, sizes } from '../theme/tokens.ts';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';

interface WordsSelectProps {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (words: readonly string[]) => void;
  readonly separators: readonly string[];
  readonly placeholder?: string;
}

const maxSearchLength = 255;
/** Truncates a long value; its title shows all of it. */
const itemStyles = { item: { maxWidth: sizes.dropdownTag } };

export function WordsSelect({
  label,
  value,
  onChange,
  separators,
  placeholder = 'One or more, separated by commas',
}: WordsSelectProps) {
  return (
    <Select
      mode="tags"
      open={false}
      suffixIcon={null}
      styles={itemStyles}
      tokenSeparators={[...separators]}
      placeholder={placeholder}
      aria-label={label}
      value={[...value]}
      onChange={(words: string[]) => onChange(words)}
    />
  );
}

/** Suggests tags that the service knows. */
export function KnownWordsSelect({
  label,
  value,
  onChange,
  separators,
  placeholder = 'Type or choose a value',
}: WordsSelectProps) {
  const [typed, setTyped] = useState('');
  const debounced = useDebouncedValue(typed.trim(), durations.dropdownSettles);
  const isSearched =
    debounced !== '' && debounced === typed.trim() && debounced.length <= maxSearchLength;
  const known = useQuery({
    queryKey: queryKeys.tags.search(debounced),
    queryFn: ({ signal }) => callApi(searchTagsEndpoint, { query: { tag: debounced }, signal }),
    enabled: isSearched,
    staleTime: 60_000,
  });
  const offered = isSearched ? (known.data ?? []) : [];
  return (
    <Select
      mode="tags"
      open={offered.length > 0}
      suffixIcon={null}
      styles={itemStyles}
      tokenSeparators={[...separators]}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      options={offered.map((word) => ({ value: word, label: word }))}
      placeholder={placeholder}
      aria-label={label}
      value={[...value]}
      onChange={(words: string[]) => {
        setTyped('');
        onChange(words);
      }}
      onBlur={() => setTyped('')}
    />
  );
}
