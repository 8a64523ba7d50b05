/** Converts years to a date criterion and back. A criterion is one range, so only adjacent years can be chosen together. */
import { dayAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';

const startOfYear = (year: number, timeZone: string): number =>
  startOfDay({ year, month: 1, day: 1 }, timeZone);

/** A longer range was not chosen by years. */
const maxYears = 200;

/** Returns the years that the criterion covers exactly, oldest first; empty when it begins or ends within a year. */
export function findCoveredYears(
  { operator, value, toValue }: FieldCriterion,
  timeZone: string,
): readonly number[] {
  if (operator !== 'between' || typeof value !== 'number' || toValue === undefined) return [];
  const first = dayAt(value, timeZone).year;
  const last = dayAt(toValue, timeZone).year;
  const coversFullYears =
    startOfYear(first, timeZone) === value && startOfYear(last + 1, timeZone) - 1 === toValue;
  return coversFullYears && last - first < maxYears
    ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
    : [];
}

interface PressedYear {
  /** Adjacent years, oldest first. */
  readonly chosen: readonly number[];
  readonly year: number;
  readonly timeZone: string;
}

/** Adds an adjacent year; another year replaces the chosen ones. Pressing a chosen year keeps the newer ones, or else the older ones. */
export function toggleYear(
  paramName: string,
  { chosen, year, timeZone }: PressedYear,
): FieldCriterion | undefined {
  const years = toggleInRange(chosen, year);
  const [first] = years;
  const last = years.at(-1);
  return first === undefined || last === undefined
    ? undefined
    : {
        paramName,
        operator: 'between',
        value: startOfYear(first, timeZone),
        toValue: startOfYear(last + 1, timeZone) - 1,
      };
}

function toggleInRange(chosen: readonly number[], year: number): readonly number[] {
  if (chosen.includes(year)) {
    const newer = chosen.filter((other) => other > year);
    return newer.length > 0 ? newer : chosen.filter((other) => other < year);
  }
  if (chosen[0] === year + 1) return [year, ...chosen];
  return chosen.at(-1) === year - 1 ? [...chosen, year] : [year];
}
