import { formatNumber } from '../../widgets/format-number.ts';

/** Returns '1,200 records'. */
export const formatCount = (count: number, singular: string, plural: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;
