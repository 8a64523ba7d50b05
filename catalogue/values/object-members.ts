/** Accessors for a vendor's JSON of unknown form. */

/** Returns an own member; undefined when `value` is not an object that has it. */
export function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns the members of an object; empty for anything else. */
export function listMembers(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** Returns an empty list for anything but an array. */
export function getElements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
