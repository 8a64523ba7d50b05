/** Collects the values of a statement: no value ever stands in its text. */
export class Parameters {
  readonly values: unknown[] = [];

  /** The place of the value in the statement: $3. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
