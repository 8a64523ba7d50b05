/** Search input for words and `field:value`. Typed criteria become chips; choosing a field opens a picker. */

import { FilterOutlined, QuestionCircleOutlined, SearchOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useRef,
} from 'react';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { OptionList } from '../../widgets/option-list.tsx';
import { Popover } from '../../widgets/popover.tsx';
import { LazyCriterionPicker } from '../criteria/lazy-criterion-picker.tsx';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import styles from './search-bar.module.css';
import type { Suggestion } from './search-suggestions.ts';
import { SuggestionWords } from './suggestion-words.tsx';
import { createKeyHandler, type SearchEntry, useSearchEntry } from './use-search-entry.ts';
import { buildValueExample } from './value-example.ts';

export interface SearchBarHandle {
  readonly focus: () => void;
  /** Puts the words into the input for editing. */
  readonly edit: (words: string) => void;
}

interface SearchBarProps {
  readonly list: ListDefinition;
  /** Shown rows, source of examples. */
  readonly rows: readonly WireRow[];
  readonly currentSearch: RequestedSearch;
  readonly handle: Ref<SearchBarHandle>;
  readonly onAsk: (change: Partial<RequestedSearch>) => void;
  /** Exports the results of the search. */
  readonly onExport: (search: RequestedSearch, format: ExportFormat) => void;
  readonly onHelp: () => void;
  /** Messages about rejected criteria. */
  readonly refused: readonly string[];
}

export function SearchBar({
  list,
  rows,
  currentSearch,
  handle,
  onAsk,
  onExport,
  onHelp,
  refused,
}: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const entry = useSearchEntry({ list, currentSearch, onAsk, onExport });
  const messages = entry.problem === undefined ? refused : [entry.problem];
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    edit: (words) => {
      entry.setTyped(words);
      input.current?.focus();
    },
  }));
  return (
    <search className="relative block">
      <div
        ref={box}
        className={`${styles['box']} flex items-center gap-1 rounded bg-surface`}
        data-problem={messages.length > 0 || undefined}
      >
        <Icon of={SearchOutlined} className="text-quiet" />
        <SearchInput
          ref={input}
          id={id}
          list={list}
          hint={buildValueExample(list, rows) ?? 'words'}
          entry={entry}
          invalid={messages.length > 0}
          onKeyDown={createKeyHandler(entry, { currentSearch, onAsk, onHelp })}
        />
        <SearchButtons
          onAdd={() => {
            input.current?.focus();
            entry.setOpen(!entry.open);
          }}
          onHelp={onHelp}
        />
      </div>
      <ValuePicker
        list={list}
        entry={entry}
        currentSearch={currentSearch}
        beside={box}
        onEnd={() => input.current?.focus()}
      />
      <OptionList
        id={id}
        label="Suggestions"
        className={styles['suggestions']}
        optionClassName={styles['suggestion']}
        hidden={entry.suggestions.length === 0}
        options={entry.suggestions}
        active={entry.option.active}
        getKey={getSuggestionKey}
        renderContent={(suggestion) => <SuggestionWords list={list} suggestion={suggestion} />}
        onChoose={entry.choose}
      />
      <SearchNotes entry={entry} keyword={currentSearch.keyword} />
      <div
        id={`${id}problem`}
        role="alert"
        className={`${styles['problem']} text-danger text-dense`}
      >
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </search>
  );
}

interface SearchNotesProps {
  readonly entry: SearchEntry;
  readonly keyword: string;
}

/** Notes that typed words were left out, and that a keyword was replaced, with buttons to restore it. */
function SearchNotes({ entry: { replaced, restore, leftOut }, keyword }: SearchNotesProps) {
  return (
    <div role="status">
      {leftOut !== '' && (
        <p className="mt-1 text-quiet text-dense break-anywhere">
          Left out: <strong>{leftOut}</strong>. No record has it with the rest, or no criterion says
          it.
        </p>
      )}
      {replaced !== undefined && (
        <p className="flex flex-wrap items-baseline gap-x-2 mt-1 text-quiet text-dense break-anywhere">
          <span>
            <strong>{keyword}</strong> replaced <strong>{replaced}</strong>.
          </span>
          <Button look="link" small onClick={() => restore('add')}>
            Search for both
          </Button>
          <Button look="link" small onClick={() => restore('replace')}>
            Undo
          </Button>
        </p>
      )}
    </div>
  );
}

interface SearchInputProps {
  readonly ref: Ref<HTMLInputElement>;
  /** Prefix of the ids of suggestions and problem. */
  readonly id: string;
  readonly list: ListDefinition;
  readonly hint: string;
  readonly entry: SearchEntry;
  readonly invalid: boolean;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

function SearchInput({ ref, id, list, hint, entry, invalid, onKeyDown }: SearchInputProps) {
  const { active, activate } = entry.option;
  return (
    <input
      ref={ref}
      type="text"
      role="combobox"
      autoComplete="off"
      spellCheck={false}
      aria-label={`Search ${list.label}`}
      aria-expanded={entry.suggestions.length > 0}
      aria-controls={`${id}list`}
      aria-autocomplete="list"
      aria-activedescendant={active >= 0 ? `${id}${active}` : undefined}
      aria-invalid={invalid}
      aria-describedby={invalid ? `${id}problem` : undefined}
      placeholder={`Search ${list.label}, or type ${hint}`}
      className={styles['input']}
      value={entry.typed}
      onChange={({ target }) => entry.type(target.value)}
      onFocus={({ relatedTarget }) => relatedTarget !== null && activate(-1)}
      onClick={() => entry.setOpen(true)}
      onBlur={entry.leave}
      onKeyDown={onKeyDown}
    />
  );
}

function SearchButtons({
  onAdd,
  onHelp,
}: {
  readonly onAdd: () => void;
  readonly onHelp: () => void;
}) {
  return (
    <>
      <Button
        look="quiet"
        small
        icon={<Icon of={FilterOutlined} />}
        aria-label="Add criterion"
        aria-haspopup="listbox"
        // Keeps the focus in the input; its blur would close the suggestions.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onAdd}
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
    </>
  );
}

interface ValuePickerProps extends Pick<SearchBarProps, 'list' | 'currentSearch'> {
  readonly entry: SearchEntry;
  readonly beside: RefObject<HTMLElement | null>;
  readonly onEnd: () => void;
}

/** Picker for the value of a field that was chosen from the suggestions. */
function ValuePicker({ list, currentSearch, entry, beside, onEnd }: ValuePickerProps) {
  const { picking } = entry;
  function end(): void {
    entry.stopPicking();
    onEnd();
  }
  return (
    <Popover
      open={picking !== undefined}
      onClose={end}
      beside={beside}
      content={
        picking === undefined ? null : (
          <LazyCriterionPicker
            list={list}
            paramName={picking}
            criterion={currentSearch.criteria.find(({ paramName }) => paramName === picking)}
            onCancel={end}
            onDone={(criterion) => {
              end();
              entry.pick(criterion);
            }}
          />
        )
      }
    />
  );
}

const getSuggestionKey = (suggestion: Suggestion) =>
  `${suggestion.kind} ${suggestion.kind === 'field' ? suggestion.paramName : suggestion.typed}`;
