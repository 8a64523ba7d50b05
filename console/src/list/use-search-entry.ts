/** The words that are being typed into the search bar: what is suggested for them, and what becomes of them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { ExportFormat } from '@patch/contract/export-endpoints.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordLength, maxKeywordLength } from '@patch/contract/filter/keyword-terms.ts';
import { type KeyboardEvent, useState } from 'react';
import { toast } from '../api/toast.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { type ActiveOption, useActiveOption } from '../widgets/use-active-option.ts';
import {
  joinedKeyword,
  type KeywordChange,
  type RequestedSearch,
  searchTyped,
  withCriterion,
  withoutCriterion,
} from './asked-search.ts';
import { type Suggestion, suggestionsFor } from './search-suggestions.ts';

interface SearchToAsk {
  readonly list: ListDefinition;
  readonly asked: RequestedSearch;
  readonly onAsk: (asked: Partial<RequestedSearch>) => void;
  /** Exports what the search finds. */
  readonly onExport: (search: RequestedSearch, format: ExportFormat) => void;
}

export interface SearchEntry {
  readonly typed: string;
  /** Takes up words without asking or suggesting anything. */
  readonly setTyped: (words: string) => void;
  readonly type: (words: string) => void;
  /** Why the words cannot be asked. */
  readonly problem: string | undefined;
  readonly clearProblem: () => void;
  readonly suggestions: readonly Suggestion[];
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly option: ActiveOption;
  /** Closes the suggestions. */
  readonly leave: () => void;
  readonly ask: (words: string, change?: KeywordChange) => void;
  /** The keyword that the last one replaced, while that one is asked. */
  readonly replaced: string | undefined;
  /** Asks for the replaced keyword again, beside the present one or instead. */
  readonly restore: (change: KeywordChange) => void;
  readonly choose: (suggestion: Suggestion) => void;
  /** The field whose value is being picked. */
  readonly picking: string | undefined;
  readonly stopPicking: () => void;
  readonly pick: (criterion: FieldCriterion) => void;
}

export function useSearchEntry({ list, asked, onAsk, onExport }: SearchToAsk): SearchEntry {
  const timeZone = useReaderZone();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const option = useActiveOption(-1);
  const [picking, setPicking] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const clearProblem = () => setProblem(undefined);
  const { replaced, noteAsked } = useReplacedKeyword(asked.keyword);

  function leave(): void {
    setOpen(false);
    option.activate(-1);
  }
  function take(words: string): void {
    setTyped(words);
    clearProblem();
    leave();
  }
  function ask(words: string, change: KeywordChange = 'replace'): void {
    const search = searchTyped(list, asked, words, timeZone, change);
    if (search.kind === 'tooLong') tooLong();
    else if (search.kind === 'problem') setProblem(search.problem);
    else {
      const { criteria, keyword, exported } = search;
      take('');
      if (change === 'replace') noteAsked(keyword);
      onAsk({ criteria, keyword });
      if (exported !== undefined) onExport({ criteria, keyword }, exported);
    }
  }
  function restore(change: KeywordChange): void {
    const keyword =
      change === 'add' ? joinedKeyword(replaced ?? '', asked.keyword) : (replaced ?? '');
    if (keywordLength(keyword) > maxKeywordLength) tooLong();
    else onAsk({ keyword });
  }
  return {
    typed,
    setTyped,
    type: (words) => {
      setTyped(words);
      clearProblem();
      option.activate(-1);
      setOpen(true);
    },
    problem,
    clearProblem,
    suggestions: open ? suggestionsFor(list, asked, typed) : [],
    open,
    setOpen,
    option,
    leave,
    ask,
    replaced,
    restore,
    choose: (suggestion) => {
      if (suggestion.kind === 'also') ask(suggestion.typed, 'add');
      else if (suggestion.kind !== 'field') ask(suggestion.typed);
      else {
        take(suggestion.rest);
        setPicking(suggestion.paramName);
      }
    },
    picking,
    stopPicking: () => setPicking(undefined),
    pick: (criterion) => {
      leave();
      onAsk({ criteria: withCriterion(asked.criteria, criterion) });
    },
  };
}

const tooLong = () => toast.error('error', 'search keyword validation');

interface ReplacedKeyword {
  readonly replaced: string | undefined;
  /** Called with the keyword that is about to be asked. */
  readonly noteAsked: (next: string) => void;
}

/** Remembers the keyword that another one replaced, until something else is asked. */
function useReplacedKeyword(keyword: string): ReplacedKeyword {
  const [change, setChange] = useState<{ readonly from: string; readonly to: string }>();
  return {
    replaced: change?.to === keyword ? change.from : undefined,
    noteAsked: (next) =>
      setChange(keyword === '' || next === keyword ? undefined : { from: keyword, to: next }),
  };
}

/** The search without what was asked last: the keyword, else the last criterion. Undefined when nothing is asked. */
export function withoutLast({
  criteria,
  keyword,
}: RequestedSearch): Partial<RequestedSearch> | undefined {
  if (keyword !== '') return { keyword: '' };
  const last = criteria.at(-1);
  return last && { criteria: withoutCriterion(criteria, last.paramName) };
}

/** What the keys do in the search bar's input. */
export function searchKeys(
  entry: SearchEntry,
  { asked, onAsk, onHelp }: Pick<SearchToAsk, 'asked' | 'onAsk'> & { readonly onHelp: () => void },
): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { typed, suggestions, option } = entry;
  const begun = typed !== '';
  return (event) => {
    if (option.moveBy(event, suggestions.length)) {
      entry.setOpen(true);
      return;
    }
    switch (event.key) {
      case 'Enter': {
        const chosen = suggestions[option.active];
        if (chosen !== undefined) entry.choose(chosen);
        else if (typed.trim() !== '') entry.ask(typed, event.shiftKey ? 'add' : 'replace');
        break;
      }
      case 'Escape':
        // First the list of suggestions goes, then the words, then the focus.
        if (suggestions.length > 0) entry.leave();
        else if (begun) entry.setTyped('');
        else event.currentTarget.blur();
        entry.clearProblem();
        break;
      case 'Backspace': {
        const fewer = begun ? undefined : withoutLast(asked);
        if (fewer !== undefined) onAsk(fewer);
        break;
      }
      case '?':
        if (begun) break;
        event.preventDefault();
        onHelp();
        break;
    }
  };
}
