/** Edits the tags of a field. An Add button opens an input that offers known tags and applies the rules of its kind. In text mode the input is always shown. */
import { CloseOutlined, PlusOutlined } from '@ant-design/icons-svg';
import type { TagKind } from '@patch/contract/form-rules/tag-rules.ts';
import { useId } from 'react';
import { Button } from '../widgets/button.tsx';
import { Icon } from '../widgets/icon.tsx';
import { OptionList } from '../widgets/option-list.tsx';
import styles from './tag-picker.module.css';
import { type TagPickerState, useTagPicker } from './use-tag-picker.ts';

export interface TagPickerProps {
  /** The field's name in error messages. */
  readonly label: string;
  readonly kind?: TagKind;
  readonly alwaysText?: boolean;
  /** Maximum number of tags. */
  readonly maxTags?: number;
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

const maxShownCharacters = 20;

export function TagPicker({
  label,
  kind = 'text',
  alwaysText = false,
  placeholder,
  value: tags = [],
  ...rest
}: TagPickerProps) {
  const { maxTags = Infinity, id, onChange, onBlur, disabled = false, ...ariaProps } = rest;
  const idPrefix = useId();
  const picker = useTagPicker(
    { label, kind, maxTags: maxTags, tags, onChange },
    { alwaysText, disabled, onBlur },
  );
  const { control, typing, entry, offered } = picker;
  return (
    <div className={styles['picker']} onBlur={picker.onLeave}>
      <div
        className={styles['box']}
        data-typing={typing || undefined}
        data-problem={entry.error !== null || ariaProps['aria-invalid'] || undefined}
      >
        <TagList label={label} tags={tags} onRemove={disabled ? undefined : picker.remove} />
        {typing ? (
          <TagInput
            ariaProps={ariaProps}
            id={id}
            idPrefix={idPrefix}
            label={label}
            placeholder={tags.length === 0 ? placeholder : undefined}
            picker={picker}
          />
        ) : disabled ? null : (
          <Button
            {...ariaProps}
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
        id={idPrefix}
        label="Known tags"
        className={styles['offered']}
        optionClassName={styles['option']}
        hidden={offered.length === 0}
        options={offered}
        active={picker.active}
        getKey={toText}
        renderContent={toText}
        onChoose={(tag) => entry.add([tag])}
      />
      <p id={`${idPrefix}problem`} role="alert" className={styles['problem']}>
        {entry.error}
      </p>
    </div>
  );
}

const toText = (tag: string) => tag;

interface TagListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** Undefined when tags cannot be removed. */
  readonly onRemove: ((tag: string) => void) | undefined;
}

function TagList({ label, tags, onRemove }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles['tags']} aria-label={`${label}: tags`}>
      {tags.map((tag) => (
        <li key={tag} className={styles['tag']} title={tag}>
          <span>{truncate(tag)}</span>
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
  readonly ariaProps: Pick<TagPickerProps, 'aria-invalid' | 'aria-describedby' | 'aria-required'>;
  readonly id: string | undefined;
  /** Prefix for the ids of the known tags and of the error. */
  readonly idPrefix: string;
  readonly label: string;
  readonly placeholder: string | undefined;
  readonly picker: TagPickerState;
}

function TagInput({ ariaProps, id, idPrefix, label, placeholder, picker }: TagInputProps) {
  const { control, entry, offered, active } = picker;
  const describedBy = [
    ariaProps['aria-describedby'],
    entry.error === null ? undefined : `${idPrefix}problem`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
  return (
    <input
      {...ariaProps}
      ref={control}
      id={id}
      type="text"
      role="combobox"
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      aria-expanded={offered.length > 0}
      aria-controls={`${idPrefix}list`}
      aria-autocomplete="list"
      aria-activedescendant={active === -1 ? undefined : `${idPrefix}${active}`}
      aria-invalid={entry.error !== null || ariaProps['aria-invalid']}
      aria-describedby={describedBy === '' ? undefined : describedBy}
      placeholder={placeholder}
      className={styles['input']}
      value={entry.typed}
      onChange={({ target }) => picker.type(target.value)}
      onKeyDown={picker.onKeyDown}
    />
  );
}

function truncate(tag: string): string {
  const characters = Array.from(tag);
  return characters.length > maxShownCharacters
    ? `${characters.slice(0, maxShownCharacters).join('')}…`
    : tag;
}
