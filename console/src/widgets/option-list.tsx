/** Options below a combobox. The focus stays in the input, which handles the keys; a click on an option chooses it. */
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import styles from './option-list.module.css';

interface OptionListProps<Option> {
  /** Prefix of ids: the list has `<id>list`, an option `<id>` and its index. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly active: number;
  readonly getKey: (option: Option) => string;
  readonly renderContent: (option: Option) => ReactNode;
  readonly onChoose: (option: Option) => void;
  readonly className: string | undefined;
  readonly optionClassName: string | undefined;
  readonly hidden?: boolean;
  readonly busy?: boolean;
}

export function OptionList<Option>(props: OptionListProps<Option>) {
  const { id, label, options, active, className, optionClassName, hidden, busy } = props;
  return (
    <div
      id={`${id}list`}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      aria-busy={busy}
      className={className}
      hidden={hidden}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the focused input handles the keys
        <div
          key={props.getKey(option)}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={`${styles['option']} ${optionClassName}`}
          onClick={() => props.onChoose(option)}
        >
          {props.renderContent(option)}
        </div>
      ))}
    </div>
  );
}

export type ActiveOption = ReturnType<typeof useActiveOption>;

/**
 * Active option of a list below an input, moved by arrow keys while the focus stays in the input.
 * @param first - Initial and lowest index; -1 allows no active option.
 */
export function useActiveOption(first: 0 | -1) {
  const [active, activate] = useState<number>(first);
  return {
    /** Index; -1 without an active option. */
    active,
    activate,
    /** Handles the arrow keys up and down. Returns false for other keys. */
    moveBy: (event: KeyboardEvent, optionCount: number): boolean => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      activate((index) => Math.max(first, Math.min(index + step, optionCount - 1)));
      return true;
    },
  };
}
