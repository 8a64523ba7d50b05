/** The periods of reports: apart from their call, since the addresses of pages name them. */

/** Days of a period. */
export const reportPeriods = [7, 30, 90] as const;
export const defaultReportDays = 90;
