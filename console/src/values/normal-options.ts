/** Converts options from different origins to one shape. */

/** A string, or an object whose key is its id, value or key, and whose label is its text, name or label. */
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
  /** Empty means unassigned. */
  readonly key: string;
  readonly label: string;
  readonly color?: string;
  /** Offered only where it is chosen already. */
  readonly archived: boolean;
  readonly disabled: boolean;
  /** Preselected. */
  readonly default: boolean;
}

interface NormalizationOptions {
  readonly several?: boolean;
  /** Keeps the option without a key even when several can be chosen, such as 'Unassigned' beside the owners. */
  readonly keepUnassigned?: boolean;
}

/** Returns each key once, in the given order. */
export function normalizeOptions(
  given: readonly GivenOption[],
  { several = false, keepUnassigned = false }: NormalizationOptions = {},
): readonly NormalOption[] {
  const byKey = new Map<string, NormalOption>();
  for (const item of given) {
    const option = normalizeOption(item);
    const isOffered = option.key !== '' || !several || keepUnassigned;
    if (isOffered && !byKey.has(option.key)) byKey.set(option.key, option);
  }
  return [...byKey.values()];
}

function normalizeOption(given: GivenOption): NormalOption {
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

/** Returns options without archived ones; chosen options always stay, including unknown ones. */
export function offeredOptions(
  options: readonly NormalOption[],
  chosen: readonly string[],
): readonly NormalOption[] {
  const unknown = chosen.filter((key) => !options.some((option) => option.key === key));
  return [
    ...options.filter(({ key, archived }) => !archived || chosen.includes(key)),
    ...normalizeOptions(unknown),
  ];
}
