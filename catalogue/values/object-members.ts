/** The members of what a vendor's JSON should have as an object; none of anything else. */
export function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}
