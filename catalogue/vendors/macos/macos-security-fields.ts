import type { SecurityContent } from './macos-security-release.ts';

/** Maps security content to fields of the row and the detail. Apple publishes no severity. */
export function toSecurityFields({ cves, exploited, page, statedBy }: SecurityContent) {
  return {
    row: { cve: [...cves.keys()], exploited },
    detail: {
      securityContent: page,
      securityStatedBy: statedBy,
      vulnerabilities: [...cves].map(([cve, wasExploited]) => ({ cve, exploited: wasExploited })),
    },
  };
}
