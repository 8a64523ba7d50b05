/** Formats shares from 0 to 1. */

/** Without the noise of binary fractions. */
const toPercent = (share: number): number => Number((share * 100).toFixed(6));

/** Returns '61.5 %'. Shares below a tenth of a percent have two decimals, so that they are not 0. Never rounds up to certainty. */
export function percentText(share: number): string {
  const percent = toPercent(share);
  if (share < 1 && percent >= 99.95) return '> 99.9 %';
  return `${percent.toFixed(percent >= 10 && percent === Math.round(percent) ? 0 : percent < 0.1 ? 2 : 1)} %`;
}

/** Returns all digits of a share: '61.498 %'. */
export const exactPercentText = (share: number): string => `${toPercent(share)} %`;

/** Returns 'top 2 %' for the rank 0.98: the share of equal or higher values, at least 1 %. */
export const rankText = (rank: number): string =>
  `top ${Math.max(1, Math.ceil(Math.round((1 - rank) * 10_000) / 100))} %`;

/** @param share - As in a field of the catalogue; undefined for other numbers. */
export const decimalText = (value: number, share: 'probability' | 'rank' | undefined): string =>
  share === undefined ? String(value) : share === 'rank' ? rankText(value) : percentText(value);
