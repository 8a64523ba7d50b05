/** Writes a time as `2026-06-09 18:00 UTC`. */
export const utcMinute = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
