/** How many tests or checks passed, failed and were skipped, and the line that says so to a reader and to CI. */
export interface Sums {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const noSums: Sums = { passed: 0, failed: 0, skipped: 0 };

export function sumsLine({ passed, failed, skipped }: Sums): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
