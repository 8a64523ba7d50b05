/** What is a CVE's number, in any case of letters. */
export const isCve = (identifier: string): boolean => /^CVE-\d{4}-\d{4,19}$/i.test(identifier);
