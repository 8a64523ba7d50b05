/** Formats bytes with divisors of 1024 and two decimals. */
const kilobytes = { word: 'KB', bytes: 1024 };
export const sizeUnits = [
  kilobytes,
  { word: 'MB', bytes: 1_048_576 },
  { word: 'GB', bytes: 1_073_741_824 },
] as const;

export function fileSize(bytes: number): string {
  const unit = sizeUnits.findLast((candidate) => bytes >= candidate.bytes) ?? kilobytes;
  return `${(bytes / unit.bytes).toFixed(2)} ${unit.word}`;
}
