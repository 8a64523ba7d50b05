/** Options below a combobox. The focus stays in the input, which handles the keys; a click on an option chooses it. */
import type { ReactNode } from 'react';

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
          className={optionClassName}
          onClick={() => props.onChoose(option)}
        >
          {props.renderContent(option)}
        </div>
      ))}
    </div>
  );
}
