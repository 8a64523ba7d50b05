/** Accepts a CVE number in any letter case. */
export const isCve = (identifier: string): boolean => /^CVE-\d{4}-\d{4,19}$/i.test(identifier);
