/** The text that is being typed into a tag field, and its conversion into tags by the rules of their kind. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { type TagKind, wrongTag } from '@patch/contract/form-rules/tag-rules.ts';
import { searchTagsEndpoint } from '@patch/contract/records/search-tags-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { durations } from '../theme/tokens.ts';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';

const maxSearchLength = 255;

/** A text may contain blanks; numbers and addresses are separated by them. */
const separators: Readonly<Record<TagKind, RegExp>> = {
  text: /[,;\n\t]/,
  plain: /[,;\n\t]/,
  email: /[,;\s]/,
  sms: /[,;\s]/,
  domain: /[,;\s]/,
};

export interface TagField {
  /** The field's name in error messages. */
  readonly label: string;
  readonly kind: TagKind;
  /** Maximum number of tags. */
  readonly maxTags: number;
  readonly tags: readonly string[];
  readonly onChange: ((tags: readonly string[]) => void) | undefined;
}

interface AddedWords {
  readonly tags: readonly string[];
  /** The text that stays in the input. */
  readonly remaining: string;
  readonly problem: string | null;
}

/** Converts words into tags up to the first wrong one, which stays in the input with the rest. `rest` is still being typed. */
export function addWords(
  { tags, kind, label, maxTags }: Omit<TagField, 'onChange'>,
  words: readonly string[],
  rest = '',
): AddedWords {
  const next = [...tags];
  let problem: string | null = null;
  let done = 0;
  for (const word of words.map((part) => part.trim())) {
    problem = word === '' ? null : wrongTag(word, next, kind, label, maxTags);
    if (problem !== null) break;
    if (word !== '') next.push(word);
    done += 1;
  }
  const remaining = [...words.slice(done), rest]
    .map((word) => word.trimStart())
    .filter((word) => word !== '')
    .join(', ');
  return { tags: next, remaining, problem };
}

/** `onAdd` is called after every attempt, also when a word was wrong. */
export function useTagEntry(field: TagField, onAdd: () => void) {
  const { tags, kind, label, onChange } = field;
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);

  /** Returns whether all words were valid. */
  function add(words: readonly string[], rest = ''): boolean {
    const added = addWords(field, words, rest);
    setTyped(added.remaining);
    setError(added.problem);
    onAdd();
    if (added.tags.length > tags.length) onChange?.(added.tags);
    return added.problem === null;
  }
  return {
    typed,
    isBlank: typed.trim() === '',
    /** Error message of the current word. */
    error,
    /** Updates the text. Words that end with a separator become tags. */
    type: (text: string) => {
      const words = text.split(separators[kind]);
      // While the user corrects a wrong word, the words after it stay in the input.
      if (words.length > typed.split(separators[kind]).length)
        add(words.slice(0, -1), words.at(-1));
      else {
        setTyped(text);
        setError(null);
      }
    },
    add,
    addTyped: () => add(typed.split(separators[kind])),
    /** Shows that a value is required. */
    requireWord: () => setError(required('', label)),
    remove: (tag: string) => {
      onChange?.(tags.filter((existing) => existing !== tag));
      setError(null);
    },
    clear: () => {
      setTyped('');
      setError(null);
    },
  };
}

/** Returns known tags for the typed text that the field may still add. Searches after a pause, while `open`. */
export function useKnownTags(
  { tags, kind, label, maxTags }: TagField,
  typed: string,
  open: boolean,
): readonly string[] {
  const words = typed.trim();
  const debounced = useDebouncedValue(words, durations.tagsSettle);
  const isSearched =
    open && debounced !== '' && debounced === words && debounced.length <= maxSearchLength;
  const known = useQuery({
    queryKey: queryKeys.tags.search(debounced),
    queryFn: ({ signal }) => callApi(searchTagsEndpoint, { query: { tag: debounced }, signal }),
    enabled: isSearched,
    staleTime: 60_000,
  });
  const offered = isSearched ? (known.data ?? []) : [];
  return offered.filter((tag) => wrongTag(tag, tags, kind, label, maxTags) === null);
}
