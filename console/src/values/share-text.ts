/** Formats shares from 0 to 1. */

/** Returns '61.5 %'. Shares below a tenth of a percent have two decimals, so that they are not 0. */
export function percentText(share: number): string {
  const percent = share * 100;
  return `${percent.toFixed(percent >= 10 && percent === Math.round(percent) ? 0 : percent < 0.1 ? 2 : 1)} %`;
}

/** Returns 'top 2 %' for the rank 0.98: the share of equal or higher values, at least 1 %. */
export const rankText = (rank: number): string =>
  `top ${Math.max(1, Math.ceil(Math.round((1 - rank) * 10_000) / 100))} %`;

/** @param share - As in a field of the catalogue; undefined for other numbers. */
export const decimalText = (value: number, share: 'probability' | 'rank' | undefined): string =>
  share === undefined ? String(value) : share === 'rank' ? rankText(value) : percentText(value);
