/** Returns the members of a value that should be an object in a vendor's JSON; empty for anything else. */
export function listMembers(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}
