/** State of the search bar's input: typed words, suggestions, problems, actions. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { newestFirst } from '@patch/catalogue/records/all-patches-list.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordLength, maxKeywordLength } from '@patch/contract/filter/keyword-terms.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import type { CountedQuery } from '@patch/contract/records/query-reading-endpoint.ts';
import { type KeyboardEvent, useState } from 'react';
import { toast } from '../../api/toast.ts';
import { type ActiveOption, useActiveOption } from '../../widgets/option-list.tsx';
import {
  joinKeywords,
  type KeywordChange,
  type RequestedSearch,
  type TypedSearch,
  withCriterion,
  withoutCriterion,
} from '../criteria/typed-search.ts';
import { getSuggestions, type Suggestion } from './search-suggestions.ts';
import { useMeaning } from './use-meaning.ts';

interface SearchEntryOptions {
  readonly list: ListDefinition;
  readonly currentSearch: RequestedSearch;
  readonly onAsk: (change: Partial<RequestedSearch>) => void;
  /** Exports the results of the search. */
  readonly onExport: (search: RequestedSearch, format: ExportFormat) => void;
}

export interface SearchEntry {
  readonly typed: string;
  /** Sets the words without searching or suggesting. */
  readonly setTyped: (words: string) => void;
  readonly type: (words: string) => void;
  /** Why the typed words are not a valid search. */
  readonly problem: string | undefined;
  readonly clearProblem: () => void;
  readonly suggestions: readonly Suggestion[];
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly option: ActiveOption;
  /** Closes the suggestions. */
  readonly leave: () => void;
  /** Searches for what the words mean. Resolves once the search has begun. */
  readonly ask: (words: string, change?: KeywordChange) => Promise<void>;
  /** Keyword that the current one has replaced. */
  readonly replaced: string | undefined;
  /** Restores the replaced keyword, in addition to the current one or instead. */
  readonly restore: (change: KeywordChange) => void;
  /** Typed words that the current search does without; empty for none. */
  readonly leftOut: string;
  readonly choose: (suggestion: Suggestion) => void;
  /** Field of the open picker. */
  readonly picking: string | undefined;
  readonly stopPicking: () => void;
  readonly pick: (criterion: FieldCriterion) => void;
}

export function useSearchEntry({
  list,
  currentSearch,
  onAsk,
  onExport,
}: SearchEntryOptions): SearchEntry {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const option = useActiveOption(-1);
  const [picking, setPicking] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const clearProblem = () => setProblem(undefined);
  const { replaced, noteSearch } = useReplacedKeyword(currentSearch.keyword);
  const { leftOut, noteLeftOut } = useLeftOut(currentSearch);
  const meaning = useMeaning(list, currentSearch, typed, open);

  function leave(): void {
    setOpen(false);
    option.activate(-1);
  }
  function replaceTyped(words: string): void {
    setTyped(words);
    clearProblem();
    leave();
  }
  async function ask(words: string, change: KeywordChange = 'replace', asWritten = false) {
    const search = asWritten
      ? meaning.applyAsWritten(words, change)
      : meaning.applyMeaning(words, change);
    const isAnswered = !(search instanceof Promise);
    if (!isAnswered || search.kind === 'search') replaceTyped('');
    const answer = isAnswered ? search : await search;
    if (answer === null) return;
    if (answer.kind === 'tooLong') showTooLong();
    else if (answer.kind === 'problem') setProblem(answer.problem);
    else {
      if (change === 'replace') noteSearch(answer.keyword);
      noteLeftOut(answer, answer.leftOut ?? '');
      runSearch(answer, { onAsk, onExport });
    }
  }
  return {
    typed,
    setTyped,
    type: (words) => {
      replaceTyped(words);
      setOpen(true);
    },
    problem,
    clearProblem,
    suggestions: open
      ? withReading(getSuggestions(list, currentSearch, typed), typed, meaning.reading)
      : [],
    open,
    setOpen,
    option,
    leave,
    ask,
    replaced,
    leftOut,
    restore: (change) => {
      const keyword = restoreKeyword(replaced ?? '', currentSearch.keyword, change);
      if (keywordLength(keyword) > maxKeywordLength) showTooLong();
      else onAsk({ keyword });
    },
    choose: (suggestion) => {
      const { kind } = suggestion;
      if (kind === 'field') {
        replaceTyped(suggestion.rest);
        setPicking(suggestion.paramName);
      } else void ask(suggestion.typed, kind === 'also' ? 'add' : 'replace', kind === 'words');
    },
    picking,
    stopPicking: () => setPicking(undefined),
    pick: (criterion) => {
      leave();
      onAsk({ criteria: withCriterion(currentSearch.criteria, criterion) });
    },
  };
}

function runSearch(
  { criteria, keyword, sort, exported }: Extract<TypedSearch, { readonly kind: 'search' }>,
  { onAsk, onExport }: Pick<SearchEntryOptions, 'onAsk' | 'onExport'>,
): void {
  onAsk({ criteria, keyword, ...(sort !== undefined && { sort }) });
  if (exported !== undefined) onExport({ criteria, keyword }, exported);
}

/** Puts what the words mean before what they are. */
const withReading = (
  suggestions: readonly Suggestion[],
  typed: string,
  reading: CountedQuery | undefined,
): readonly Suggestion[] =>
  reading === undefined
    ? suggestions
    : [
        { kind: 'reading', typed, reading },
        ...suggestions.map((suggestion) =>
          suggestion.kind === 'words' ? { ...suggestion, asWritten: true } : suggestion,
        ),
      ];

const restoreKeyword = (replaced: string, keyword: string, change: KeywordChange): string =>
  change === 'add' ? joinKeywords(replaced, keyword) : replaced;

const showTooLong = () => toast.error('error', 'search keyword validation');

interface ReplacedKeyword {
  readonly replaced: string | undefined;
  /** Called with the next keyword before a search. */
  readonly noteSearch: (next: string) => void;
}

/** Remembers a replaced keyword until the next search. */
function useReplacedKeyword(keyword: string): ReplacedKeyword {
  const [change, setChange] = useState<{ readonly from: string; readonly to: string }>();
  return {
    replaced: change?.to === keyword ? change.from : undefined,
    noteSearch: (next) =>
      setChange(keyword === '' || next === keyword ? undefined : { from: keyword, to: next }),
  };
}

/** Remembers what a search does without until it changes. */
function useLeftOut({ keyword, criteria }: RequestedSearch) {
  const [noted, setNoted] = useState({ keyword, count: 0, words: '' });
  const isCurrent = noted.keyword === keyword && noted.count === criteria.length;
  return {
    leftOut: isCurrent ? noted.words : '',
    noteLeftOut: (search: RequestedSearch, words: string) =>
      setNoted({ keyword: search.keyword, count: search.criteria.length, words }),
  };
}

/** Removes the keyword, else the last criterion, else the order of the newest. Returns undefined for an empty search. */
export function removeLast({
  criteria,
  keyword,
  sort,
}: RequestedSearch): Partial<RequestedSearch> | undefined {
  if (keyword !== '') return { keyword: '' };
  const last = criteria.at(-1);
  if (last !== undefined) return { criteria: withoutCriterion(criteria, last.paramName) };
  return sort === newestFirst ? { sort: null } : undefined;
}

/** Returns the key handler of the search input. */
export function createKeyHandler(
  entry: SearchEntry,
  {
    currentSearch,
    onAsk,
    onHelp,
  }: Pick<SearchEntryOptions, 'currentSearch' | 'onAsk'> & { readonly onHelp: () => void },
): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { typed, suggestions, option } = entry;
  const hasText = typed !== '';
  return (event) => {
    if (option.moveBy(event, suggestions.length)) {
      entry.setOpen(true);
      return;
    }
    switch (event.key) {
      case 'Enter': {
        const chosen = suggestions[option.active];
        if (chosen !== undefined) entry.choose(chosen);
        else if (typed.trim() !== '') void entry.ask(typed, event.shiftKey ? 'add' : 'replace');
        break;
      }
      case 'Escape':
        // Closes the suggestions, then clears the words, then leaves the input.
        if (suggestions.length > 0) entry.leave();
        else if (hasText) entry.setTyped('');
        else event.currentTarget.blur();
        entry.clearProblem();
        break;
      case 'Backspace': {
        const reduced = hasText ? undefined : removeLast(currentSearch);
        if (reduced !== undefined) onAsk(reduced);
        break;
      }
      case '?':
        if (hasText) break;
        event.preventDefault();
        onHelp();
        break;
    }
  };
}
