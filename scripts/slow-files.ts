/** Test files that may take over ten seconds, each with the reason. The report of a run names the others. */
export const slowFiles: Readonly<Record<string, string>> = {};
