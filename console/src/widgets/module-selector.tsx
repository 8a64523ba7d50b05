/**
 * Selects one module or all modules, with radio buttons or a dropdown. With `resetsForm` a change needs confirmation; No restores
 * the previous choice.
 */
import { useId, useState } from 'react';
import { confirm } from './confirm-modal.tsx';
import styles from './module-selector.module.css';
import { PlainSelect } from './plain-select.tsx';

export interface ModuleSelectorProps<Key extends string> {
  readonly label: string;
  readonly modules: readonly { readonly key: Key; readonly label: string }[];
  /** Null means all modules. */
  readonly value: Key | null;
  readonly onChange: (value: Key | null) => void;
  readonly look?: 'radio' | 'dropdown';
  /** Label of the option for all modules. Without it, the option is absent. */
  readonly all?: string;
  /** A change resets the form and needs confirmation. */
  readonly resetsForm?: boolean;
}

const resetWarning = 'Your input will be lost: the form is reset for the new module.';
/** Modules never have an empty key. */
const allKey = '';

export function ModuleSelector<Key extends string>(props: ModuleSelectorProps<Key>) {
  const { label, modules, value, onChange, look = 'dropdown', all, resetsForm = false } = props;
  const name = useId();
  /** Chosen but not confirmed yet. */
  const [pending, setPending] = useState<Key | typeof allKey>();
  const options = [
    ...(all === undefined ? [] : [{ key: allKey, label: all } as const]),
    ...modules,
  ];
  const chosen = pending ?? value ?? allKey;

  async function choose(key: Key | typeof allKey): Promise<void> {
    const next = key === allKey ? null : key;
    if (next === value) return;
    if (resetsForm && !(await isConfirmed(key))) return;
    onChange(next);
  }
  async function isConfirmed(key: Key | typeof allKey): Promise<boolean> {
    setPending(key);
    try {
      await confirm({ body: resetWarning });
      return true;
    } catch {
      return false;
    } finally {
      setPending(undefined);
    }
  }

  if (look === 'dropdown') {
    const words = options.map((option) => ({ value: option.key, label: option.label }));
    return (
      <PlainSelect<Key | typeof allKey>
        label={label}
        value={chosen}
        options={words}
        onChange={(key) => void choose(key)}
      />
    );
  }
  return (
    <fieldset className={styles['radios']}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.key} className={styles['radio']}>
          <input
            type="radio"
            name={name}
            value={option.key}
            checked={option.key === chosen}
            onChange={() => void choose(option.key)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
