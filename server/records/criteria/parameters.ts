/** Collects the parameters of a statement, so that its text never contains a value. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder, such as `$3`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
