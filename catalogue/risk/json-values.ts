/** Accessors for parsed JSON of unknown form. */

/** Returns an own member, or undefined when `value` is not an object that has it. */
export function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns an empty list for anything but an array. */
export function getElements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
