/** The options of a dropdown in one form, whatever they are called where they come from. */

/** A word that is its own label, or what a list of things gives: its key is its id, value or key, its label its text, name or label. */
export type GivenOption =
  | string
  | {
      readonly id?: string | number | null;
      readonly value?: string | number | null;
      readonly key?: string | number | null;
      readonly text?: string;
      readonly name?: string;
      readonly label?: string;
      readonly color?: string;
      readonly archived?: boolean;
      readonly disabled?: boolean;
      readonly default?: boolean;
    };

export interface NormalOption {
  /** Empty: unassigned, what has no key. */
  readonly key: string;
  readonly label: string;
  readonly color?: string;
  /** No longer offered; shown where it was chosen before. */
  readonly archived: boolean;
  readonly disabled: boolean;
  /** Chosen where nothing is. */
  readonly default: boolean;
}

interface HowChosen {
  readonly several?: boolean;
  /** Where several are chosen, what has no key is kept, too: 'without an owner' beside the owners. */
  readonly keepUnassigned?: boolean;
}

/** Each key once, in the given order. */
export function normalOptions(
  given: readonly GivenOption[],
  { several = false, keepUnassigned = false }: HowChosen = {},
): readonly NormalOption[] {
  const byKey = new Map<string, NormalOption>();
  for (const one of given) {
    const option = normalOption(one);
    const kept = option.key !== '' || !several || keepUnassigned;
    if (kept && !byKey.has(option.key)) byKey.set(option.key, option);
  }
  return [...byKey.values()];
}

function normalOption(given: GivenOption): NormalOption {
  const {
    id,
    value,
    key,
    text,
    name,
    label,
    color,
    archived = false,
    disabled = false,
    default: isDefault = false,
  } = typeof given === 'string' ? { key: given } : given;
  const found = String(id ?? value ?? key ?? '');
  return {
    key: found,
    label: text ?? name ?? label ?? found,
    ...(color !== undefined && { color }),
    archived,
    disabled,
    default: isDefault,
  };
}

/** What can be chosen: all but the archived, of which those that are chosen stay; and what is chosen without being known any more. */
export function offeredOptions(
  options: readonly NormalOption[],
  chosen: readonly string[],
): readonly NormalOption[] {
  const unknown = chosen.filter((key) => !options.some((option) => option.key === key));
  return [
    ...options.filter(({ key, archived }) => !archived || chosen.includes(key)),
    ...normalOptions(unknown),
  ];
}
