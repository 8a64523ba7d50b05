/** What a row and its detail say of the security content of their release. */
import type { SecurityContent } from './macos-security-release.ts';

/** Apple publishes no severity: none is shown. */
export function securityFields({ cves, exploited, page, statedBy }: SecurityContent) {
  return {
    row: { cve: [...cves.keys()], exploited },
    detail: {
      securityContent: page,
      securityStatedBy: statedBy,
      vulnerabilities: [...cves].map(([cve, wasExploited]) => ({ cve, exploited: wasExploited })),
    },
  };
}
