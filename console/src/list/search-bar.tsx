/** One box for free words and `field:value`. What is typed becomes chips; choosing a field opens a picker for its value. */

import { FilterOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { toast } from '../api/toast.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { Popover } from '../widgets/popover.tsx';
import { type AskedSearch, searchTyped, withCriterion, withoutCriterion } from './asked-search.ts';
import { LazyCriterionPicker } from './lazy-criterion-picker.tsx';
import styles from './search-bar.module.css';
import { type Suggestion, suggestionsFor } from './search-suggestions.ts';
import { syntaxExamples } from './syntax-examples.ts';

export interface SearchBarHandle {
  readonly focus: () => void;
  /** Takes the words up again, to be changed. */
  readonly edit: (words: string) => void;
}

interface SearchBarProps {
  readonly list: ListDefinition;
  readonly asked: AskedSearch;
  readonly handle: Ref<SearchBarHandle>;
  readonly onAsk: (asked: Partial<AskedSearch>) => void;
  readonly onHelp: () => void;
  /** What the server or the address refused, in sentences. */
  readonly refused: readonly string[];
}

export function SearchBar({ list, asked, handle, onAsk, onHelp, refused }: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const timeZone = useReaderZone();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [picking, setPicking] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const suggestions = open ? suggestionsFor(list, asked.criteria, typed) : [];
  const messages = problem === undefined ? refused : [problem];

  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    edit: (words) => {
      setTyped(words);
      input.current?.focus();
    },
  }));
  function leave(): void {
    setOpen(false);
    setActive(-1);
  }
  function ask(words: string): void {
    const search = searchTyped(list, asked, words, timeZone);
    if ('tooLong' in search) {
      toast.error('error', 'search keyword validation');
      return;
    }
    if ('problem' in search) {
      setProblem(search.problem);
      return;
    }
    setProblem(undefined);
    setTyped('');
    leave();
    onAsk(search);
  }
  function choose(suggestion: Suggestion): void {
    if (suggestion.what !== 'field') {
      ask(suggestion.typed);
      return;
    }
    setTyped(suggestion.rest);
    setProblem(undefined);
    leave();
    setPicking(suggestion.paramName);
  }
  function removeLast(): void {
    const last = asked.criteria.at(-1);
    if (asked.keyword !== '') onAsk({ keyword: '' });
    else if (last !== undefined)
      onAsk({ criteria: withoutCriterion(asked.criteria, last.paramName) });
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    const chosen = suggestions[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = key === 'ArrowDown' ? 1 : -1;
      setActive((place) => Math.max(-1, Math.min(place + step, suggestions.length - 1)));
    } else if (key === 'Enter') {
      if (chosen !== undefined) choose(chosen);
      else if (typed.trim() !== '') ask(typed);
    } else if (key === 'Escape') {
      // First the list of suggestions goes, then the words, then the focus.
      if (open && suggestions.length > 0) leave();
      else if (typed !== '') setTyped('');
      else input.current?.blur();
      setProblem(undefined);
    } else if (key === 'Backspace' && typed === '') removeLast();
    else if (key === '?' && typed === '') {
      event.preventDefault();
      onHelp();
    }
  }
  function finishPicking(): void {
    setPicking(undefined);
    input.current?.focus();
  }
  return (
    <search className={styles['search']}>
      <div ref={box} className={styles['box']} data-problem={messages.length > 0 || undefined}>
        <Icon of={SearchOutlined} className={styles['icon'] ?? ''} />
        <input
          ref={input}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-label={`Search ${list.label}`}
          aria-expanded={suggestions.length > 0}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}${active}` : undefined}
          aria-invalid={messages.length > 0}
          aria-describedby={messages.length > 0 ? `${id}problem` : undefined}
          placeholder={placeholderOf(list)}
          className={styles['input']}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(undefined);
            setActive(-1);
            setOpen(true);
          }}
          onFocus={({ relatedTarget }) => relatedTarget !== null && setActive(-1)}
          onClick={() => setOpen(true)}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
        <Button
          look="quiet"
          small
          icon={<Icon of={FilterOutlined} />}
          aria-label="Add criterion"
          aria-haspopup="listbox"
          // The press must not take the focus from the input, whose leaving closes the suggestions.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus();
            setOpen(!open);
          }}
        >
          <span className={styles['add']}>Add criterion</span>
        </Button>
        <Button
          look="quiet"
          small
          icon={<Icon of={QuestionCircleOutlined} />}
          aria-label="How to search"
          title="How to search (?)"
          onClick={onHelp}
        />
      </div>
      <Popover
        open={picking !== undefined}
        onClose={finishPicking}
        beside={box}
        content={
          picking === undefined ? null : (
            <LazyCriterionPicker
              list={list}
              paramName={picking}
              criterion={asked.criteria.find(({ paramName }) => paramName === picking)}
              onCancel={finishPicking}
              onDone={(criterion) => {
                finishPicking();
                leave();
                onAsk({ criteria: withCriterion(asked.criteria, criterion) });
              }}
            />
          )
        }
      />
      <div
        id={`${id}list`}
        role="listbox"
        aria-label="Suggestions"
        className={styles['suggestions']}
        hidden={suggestions.length === 0}
        onMouseDown={(event) => event.preventDefault()}
      >
        {suggestions.map((suggestion, place) => (
          <div
            key={keyOf(suggestion)}
            id={`${id}${place}`}
            role="option"
            aria-selected={place === active}
            className={styles['suggestion']}
            onClick={() => choose(suggestion)}
          >
            <SuggestionWords suggestion={suggestion} />
          </div>
        ))}
      </div>
      <div id={`${id}problem`} role="alert" className={styles['problem']}>
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </search>
  );
}

const keyOf = (suggestion: Suggestion) =>
  `${suggestion.what} ${suggestion.what === 'field' ? suggestion.paramName : suggestion.typed}`;

function placeholderOf(list: ListDefinition): string {
  const [example] = syntaxExamples(list).filter(({ typed }) => typed.includes(':'));
  return `Search ${list.label}, or type ${example?.typed ?? 'words'}`;
}

function SuggestionWords({ suggestion }: { readonly suggestion: Suggestion }) {
  switch (suggestion.what) {
    case 'words':
      return (
        <>
          <Icon of={SearchOutlined} /> Search for <strong>{suggestion.typed}</strong>{' '}
          <kbd>Enter</kbd>
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
