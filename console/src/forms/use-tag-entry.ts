/** The words that are being typed into a field of tags, held to the rules of their kind before they become tags. */
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { type TagKind, wrongTag } from '@patch/contract/form-rules/tag-rules.ts';
import { searchTagsEndpoint } from '@patch/contract/search-tags-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { durations } from '../theme/tokens.ts';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';

const longestSearched = 255;

/** Of words, a blank is a part; of numbers and addresses it is none. */
const separators: Readonly<Record<TagKind, RegExp>> = {
  text: /[,;\n\t]/,
  plain: /[,;\n\t]/,
  email: /[,;\s]/,
  sms: /[,;\s]/,
  domain: /[,;\s]/,
};

export interface TagField {
  /** The field's name in the rules' sentences. */
  readonly label: string;
  readonly kind: TagKind;
  /** Tags that the field may have. */
  readonly most: number;
  readonly tags: readonly string[];
  readonly onChange: ((tags: readonly string[]) => void) | undefined;
}

interface TakenWords {
  readonly tags: readonly string[];
  /** The words that are still to become tags, as they stay typed. */
  readonly left: string;
  readonly problem: string | null;
}

/** Words before a wrong one become tags; it stays with what follows it, to be mended. `rest` is still being typed. */
export function takeWords(
  { tags, kind, label, most }: Omit<TagField, 'onChange'>,
  words: readonly string[],
  rest = '',
): TakenWords {
  const next = [...tags];
  let problem: string | null = null;
  let done = 0;
  for (const word of words.map((one) => one.trim())) {
    problem = word === '' ? null : wrongTag(word, next, kind, label, most);
    if (problem !== null) break;
    if (word !== '') next.push(word);
    done += 1;
  }
  const left = [...words.slice(done), rest]
    .map((word) => word.trimStart())
    .filter((word) => word !== '')
    .join(', ');
  return { tags: next, left, problem };
}

export interface TagEntry {
  readonly typed: string;
  readonly isBlank: boolean;
  /** Why a word cannot be a tag. */
  readonly wrong: string | null;
  /** Takes the text up; words that a separator ends become tags. */
  readonly type: (text: string) => void;
  /** Whether none was wrong. */
  readonly add: (words: readonly string[]) => boolean;
  readonly addTyped: () => boolean;
  /** Says that a word is missing. */
  readonly requireWord: () => void;
  readonly remove: (tag: string) => void;
  readonly clear: () => void;
}

/** `onAdd` is called when words were taken, whether or not one was wrong. */
export function useTagEntry(field: TagField, onAdd: () => void): TagEntry {
  const { tags, kind, label, onChange } = field;
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);

  function add(words: readonly string[], rest = ''): boolean {
    const taken = takeWords(field, words, rest);
    setTyped(taken.left);
    setWrong(taken.problem);
    onAdd();
    if (taken.tags.length > tags.length) onChange?.(taken.tags);
    return taken.problem === null;
  }
  return {
    typed,
    isBlank: typed.trim() === '',
    wrong,
    type: (text) => {
      const words = text.split(separators[kind]);
      // What follows a wrong tag is not taken while that one is mended letter by letter.
      if (words.length > typed.split(separators[kind]).length)
        add(words.slice(0, -1), words.at(-1));
      else {
        setTyped(text);
        setWrong(null);
      }
    },
    add,
    addTyped: () => add(typed.split(separators[kind])),
    requireWord: () => setWrong(required('', label)),
    remove: (tag) => {
      onChange?.(tags.filter((other) => other !== tag));
      setWrong(null);
    },
    clear: () => {
      setTyped('');
      setWrong(null);
    },
  };
}

/** Known tags for what is typed, once the typing pauses, that the field may have. They are looked for while `open`. */
export function useKnownTags(
  { tags, kind, label, most }: TagField,
  typed: string,
  open: boolean,
): readonly string[] {
  const words = typed.trim();
  const settled = useDebouncedValue(words, durations.tagsSettle);
  const searched = open && settled !== '' && settled === words && settled.length <= longestSearched;
  const known = useQuery({
    queryKey: queryKeys.tags.search(settled),
    queryFn: ({ signal }) => callApi(searchTagsEndpoint, { query: { tag: settled }, signal }),
    enabled: searched,
    staleTime: 60_000,
  });
  const offered = searched ? (known.data ?? []) : [];
  return offered.filter((tag) => wrongTag(tag, tags, kind, label, most) === null);
}
