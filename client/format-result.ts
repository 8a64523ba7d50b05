/** Says what was fetched of a list, in a line for the person who runs the client. */
export interface FetchedAmounts {
  /** Listed and withdrawn records among the lines that were added. */
  readonly records: number;
  readonly withdrawn: number;
  /** Pages or segments. */
  readonly pieces: number;
}

export function formatResult(
  list: string,
  { records, withdrawn, pieces }: FetchedAmounts,
  piece: 'page' | 'segment',
  tookMs: number,
): string {
  if (records + withdrawn === 0) return `${list}: nothing new`;
  const gone = withdrawn === 0 ? '' : `, ${withdrawn} withdrawn`;
  return `${list}: ${records} records${gone}, ${pieces} ${pieces === 1 ? piece : `${piece}s`}, ${(tookMs / 1000).toFixed(1)} s`;
}
