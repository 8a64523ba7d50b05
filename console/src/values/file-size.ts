/** Formats bytes with divisors of 1024 and two decimals. */
const units = [
  { bytes: 1_073_741_824, word: 'GB' },
  { bytes: 1_048_576, word: 'MB' },
] as const;

export function fileSize(bytes: number): string {
  const { bytes: divisor, word } = units.find((unit) => bytes >= unit.bytes) ?? {
    bytes: 1024,
    word: 'KB',
  };
  return `${(bytes / divisor).toFixed(2)} ${word}`;
}
