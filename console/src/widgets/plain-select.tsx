/** Native `<select>`, for screens that otherwise load no antd component. */
import styles from './plain-select.module.css';

interface PlainSelectProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export function PlainSelect<Value extends string | number>({
  label,
  value,
  options,
  onChange,
}: PlainSelectProps<Value>) {
  return (
    <select
      className={styles['select']}
      aria-label={label}
      value={value}
      onChange={({ target }) => {
        const chosen = options[target.selectedIndex];
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
