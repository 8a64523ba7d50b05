/** Formats the items of the EPSS reader, for tests. */
import type { Rejection, Remark, RiskItem } from '../definition/feed.ts';

/** Returns a line for each score: CVE, score, percentile. */
export function scores(read: readonly (RiskItem | Rejection | Remark)[]): string[] {
  return read.flatMap((item) =>
    item.kind === 'risk' && item.facts.kind === 'epss'
      ? [`${item.facts.cve} ${item.facts.epss} ${item.facts.percentile}`]
      : [],
  );
}
