/** Collects the values of a statement: no value ever stands in its text. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The place of the value in the statement: $3. PostgreSQL has no NUL in text; what asks for one asks for a character that nothing has. */
  add(value: unknown): string {
    return `$${this.values.push(typeof value === 'string' ? value.replaceAll('\0', '\uFFFF') : value)}`;
  }
}
