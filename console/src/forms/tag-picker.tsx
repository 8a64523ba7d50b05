/**
 * Tags of a field. Shown, they are a row with a way to add one; adding, words are typed, known ones are offered, and each is held
 * to the rules of its kind before it is a tag. Always in text mode, the input stays.
 */
import { CloseOutlined, PlusOutlined } from '@ant-design/icons-svg';
import type { TagKind } from '@patch/contract/form-rules/tag-rules.ts';
import { useId } from 'react';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { OptionList } from '../widgets/option-list.tsx';
import styles from './tag-picker.module.css';
import { type TagPickerState, useTagPicker } from './use-tag-picker.ts';

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

export function TagPicker({
  label,
  kind = 'text',
  alwaysText = false,
  placeholder,
  value: tags = [],
  ...rest
}: TagPickerProps) {
  const { most = Infinity, id, onChange, onBlur, disabled = false, ...described } = rest;
  const own = useId();
  const picker = useTagPicker(
    { label, kind, most, tags, onChange },
    { alwaysText, disabled, onBlur },
  );
  const { control, typing, entry, offered } = picker;
  return (
    <div className={styles['picker']} onBlur={picker.onLeave}>
      <div
        className={styles['box']}
        data-typing={typing || undefined}
        data-problem={entry.wrong !== null || described['aria-invalid'] || undefined}
      >
        <TagList label={label} tags={tags} onRemove={disabled ? undefined : picker.remove} />
        {typing ? (
          <TagInput
            described={described}
            id={id}
            own={own}
            label={label}
            placeholder={tags.length === 0 ? placeholder : undefined}
            picker={picker}
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
            onClick={picker.startAdding}
          >
            Add
          </Button>
        )}
      </div>
      <OptionList
        id={own}
        label="Known tags"
        className={styles['offered']}
        optionClassName={styles['option']}
        hidden={offered.length === 0}
        options={offered}
        active={picker.active}
        keyOf={itself}
        contentOf={itself}
        onChoose={(tag) => entry.add([tag])}
      />
      <p id={`${own}problem`} role="alert" className={styles['problem']}>
        {entry.wrong}
      </p>
    </div>
  );
}

const itself = (tag: string) => tag;

interface TagListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** Undefined: none may be removed. */
  readonly onRemove: ((tag: string) => void) | undefined;
}

function TagList({ label, tags, onRemove }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles['tags']} aria-label={`${label}: tags`}>
      {tags.map((tag) => (
        <li key={tag} className={styles['tag']} title={tag}>
          <span>{cut(tag)}</span>
          {onRemove === undefined ? null : (
            <button
              type="button"
              className={styles['remove']}
              aria-label={`Remove ${tag}`}
              onClick={() => onRemove(tag)}
            >
              <Icon of={CloseOutlined} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface TagInputProps {
  readonly described: Pick<TagPickerProps, 'aria-invalid' | 'aria-describedby' | 'aria-required'>;
  readonly id: string | undefined;
  /** Begins the ids of the known tags and of the problem. */
  readonly own: string;
  readonly label: string;
  readonly placeholder: string | undefined;
  readonly picker: TagPickerState;
}

function TagInput({ described, id, own, label, placeholder, picker }: TagInputProps) {
  const { control, entry, offered, active } = picker;
  const describedBy = [
    described['aria-describedby'],
    entry.wrong === null ? undefined : `${own}problem`,
  ]
    .filter((one) => one !== undefined)
    .join(' ');
  return (
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
      aria-activedescendant={active === -1 ? undefined : `${own}${active}`}
      aria-invalid={entry.wrong !== null || described['aria-invalid']}
      aria-describedby={describedBy === '' ? undefined : describedBy}
      placeholder={placeholder}
      className={styles['input']}
      value={entry.typed}
      onChange={({ target }) => picker.type(target.value)}
      onKeyDown={picker.onKeyDown}
    />
  );
}

function cut(tag: string): string {
  const characters = Array.from(tag);
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters).join('')}…`
    : tag;
}
