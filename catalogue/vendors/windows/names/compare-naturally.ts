/** Compares numbers inside of words as numbers: CVE-2024-9 before CVE-2024-10. */
export const compareNaturally = new Intl.Collator('en', { numeric: true }).compare;
