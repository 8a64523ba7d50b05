/**
 * Tags of a field. Shown, they are a row with a way to add one; adding, words are typed, known ones are offered, and each is held
 * to the rules of its kind before it is a tag. Always in text mode, the input stays.
 */

import { CloseOutlined, PlusOutlined } from '@ant-design/icons-svg';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { type TagKind, wrongTag } from '@patch/contract/form-rules/tag-rules.ts';
import { searchTagsEndpoint } from '@patch/contract/search-tags-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { durations } from '../theme/tokens.ts';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { useDebouncedValue } from '../widgets/use-debounced-value.ts';
import styles from './tag-picker.module.css';

export interface TagPickerProps {
  /** The field's name in the rules' sentences. */
  readonly label: string;
  readonly kind?: TagKind;
  readonly alwaysText?: boolean;
  /** Tags that the field may have. */
  readonly most?: number;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly value?: readonly string[];
  readonly onChange?: (tags: readonly string[]) => void;
  readonly onBlur?: () => void;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly 'aria-required'?: boolean | 'true' | 'false';
}

const shownCharacters = 20;
const longestSearched = 255;

/** Of words, a blank is a part; of numbers and addresses it is none. */
const separators: Readonly<Record<TagKind, RegExp>> = {
  text: /[,;\n\t]/,
  plain: /[,;\n\t]/,
  email: /[,;\s]/,
  sms: /[,;\s]/,
  domain: /[,;\s]/,
};

export function TagPicker({
  label,
  kind = 'text',
  alwaysText = false,
  placeholder,
  value: tags = [],
  ...rest
}: TagPickerProps) {
  const { most = Infinity, id, onChange, onBlur, disabled = false, ...described } = rest;
  const [adding, setAdding] = useState(false);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const control = useRef<HTMLInputElement & HTMLButtonElement>(null);
  const own = useId();
  const typing = (alwaysText || adding) && !disabled;
  const offered = useOffered(typed.trim(), open).filter(
    (tag) => wrongTag(tag, tags, kind, label, most) === null,
  );
  const marked = offered[active];

  // The button gives way to the input, and the input to the button: the focus stays.
  const focusNext = useRef(false);
  useEffect(() => {
    if (focusNext.current) control.current?.focus();
    focusNext.current = false;
  });

  function show(): void {
    setAdding(false);
    setTyped('');
    setWrong(null);
  }
  function closeOffers(): void {
    setOpen(false);
    setActive(-1);
  }
  /** Those before a wrong one are added; it stays with what follows it, to be mended. `rest` is still being typed. */
  function add(words: readonly string[], rest = ''): boolean {
    const next = [...tags];
    let problem: string | null = null;
    let done = 0;
    for (const word of words.map((one) => one.trim())) {
      problem = word === '' ? null : wrongTag(word, next, kind, label, most);
      if (problem !== null) break;
      if (word !== '') next.push(word);
      done += 1;
    }
    setTyped(
      [...words.slice(done), rest]
        .map((word) => word.trimStart())
        .filter((word) => word !== '')
        .join(', '),
    );
    setWrong(problem);
    closeOffers();
    if (next.length > tags.length) onChange?.(next);
    return problem === null;
  }
  function type(text: string): void {
    const words = text.split(separators[kind]);
    // What follows a wrong tag is not taken while that one is mended letter by letter.
    if (words.length > typed.split(separators[kind]).length) add(words.slice(0, -1), words.at(-1));
    else {
      setTyped(text);
      setWrong(null);
    }
    setActive(-1);
    setOpen(true);
  }
  function remove(tag: string): void {
    onChange?.(tags.filter((other) => other !== tag));
    setWrong(null);
    focusNext.current = true;
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = key === 'ArrowDown' ? 1 : -1;
      setActive((place) => Math.max(-1, Math.min(place + step, offered.length - 1)));
    } else if (key === 'Enter') {
      // Of an input that is always there, and empty, Enter sends the form.
      if (typed.trim() === '' && alwaysText) return;
      event.preventDefault();
      if (marked !== undefined) add([marked]);
      else if (typed.trim() === '') setWrong(required('', label));
      else add(typed.split(separators[kind]));
    } else if (key === 'Escape' && (offered.length > 0 || typed !== '' || !alwaysText)) {
      event.stopPropagation();
      if (offered.length > 0) closeOffers();
      else {
        show();
        focusNext.current = true;
      }
    } else if (key === 'Backspace' && typed === '') {
      const last = tags.at(-1);
      if (last !== undefined) remove(last);
    }
  }
  function onLeave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
    closeOffers();
    // What was typed is meant.
    if (typed.trim() === '' || add(typed.split(separators[kind]))) show();
    onBlur?.();
  }
  const problemId = `${own}problem`;
  const describedBy = [described['aria-describedby'], wrong === null ? undefined : problemId]
    .filter((one) => one !== undefined)
    .join(' ');
  return (
    <div className={styles['picker']} onBlur={onLeave}>
      <div
        className={styles['box']}
        data-typing={typing || undefined}
        data-problem={wrong !== null || described['aria-invalid'] || undefined}
      >
        {tags.length === 0 ? null : (
          <ul className={styles['tags']} aria-label={`${label}: tags`}>
            {tags.map((tag) => (
              <li key={tag} className={styles['tag']} title={tag}>
                <span>{cut(tag)}</span>
                {disabled ? null : (
                  <button
                    type="button"
                    className={styles['remove']}
                    aria-label={`Remove ${tag}`}
                    onClick={() => remove(tag)}
                  >
                    <Icon of={CloseOutlined} />
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
        {typing ? (
          <input
            {...described}
            ref={control}
            id={id}
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            aria-label={label}
            aria-expanded={offered.length > 0}
            aria-controls={`${own}list`}
            aria-autocomplete="list"
            aria-activedescendant={marked === undefined ? undefined : `${own}${active}`}
            aria-invalid={wrong !== null || described['aria-invalid']}
            aria-describedby={describedBy === '' ? undefined : describedBy}
            placeholder={tags.length === 0 ? placeholder : undefined}
            className={styles['input']}
            value={typed}
            onChange={({ target }) => type(target.value)}
            onKeyDown={onKeyDown}
          />
        ) : disabled ? null : (
          <Button
            {...described}
            ref={control}
            id={id}
            look="quiet"
            small
            icon={<Icon of={PlusOutlined} />}
            aria-label={`Add to ${label}`}
            onClick={() => {
              setAdding(true);
              focusNext.current = true;
            }}
          >
            Add
          </Button>
        )}
      </div>
      <div
        id={`${own}list`}
        role="listbox"
        aria-label="Known tags"
        className={styles['offered']}
        hidden={offered.length === 0}
        // The press must not take the focus from the input.
        onMouseDown={(event) => event.preventDefault()}
      >
        {offered.map((tag, place) => (
          <div
            key={tag}
            id={`${own}${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            className={styles['option']}
            onClick={() => add([tag])}
          >
            {tag}
          </div>
        ))}
      </div>
      <p id={problemId} role="alert" className={styles['problem']}>
        {wrong}
      </p>
    </div>
  );
}

/** Known tags for what is typed, once the typing pauses. Who cannot be offered any types on. */
function useOffered(typed: string, open: boolean): readonly string[] {
  const settled = useDebouncedValue(typed, durations.tagsSettle);
  const searched = open && settled !== '' && settled === typed && settled.length <= longestSearched;
  const known = useQuery({
    queryKey: queryKeys.tags.search(settled),
    queryFn: ({ signal }) => callApi(searchTagsEndpoint, { query: { tag: settled }, signal }),
    enabled: searched,
    staleTime: 60_000,
  });
  return searched ? (known.data ?? []) : [];
}

function cut(tag: string): string {
  const characters = Array.from(tag);
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters).join('')}…`
    : tag;
}
