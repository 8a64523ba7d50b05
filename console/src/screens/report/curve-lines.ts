/** Makes lines of the kept days of a curve. A day without counts is a gap. */
import type { CountedDay } from '@patch/contract/reports/group-report-endpoint.ts';

export const dayMs = 86_400_000;

export type CurveName =
  | 'machinesMissing'
  | 'machinesExploited'
  | 'machinesOverdue'
  | 'machinesUnjudged';

export interface CurveLine {
  /** The path of an SVG whose unit is a day across and a machine down from `top`. */
  readonly path: string;
  /** A day between days without counts: a line of no length. */
  readonly isDot: boolean;
  /** False: of the machines that other criteria found. */
  readonly present: boolean;
}

/** Returns a line for each run of days that follow each other and were counted by the same criteria. */
export function curveLines(
  curve: readonly CountedDay[],
  name: CurveName,
  { from, top }: { readonly from: number; readonly top: number },
): readonly CurveLine[] {
  const lines: { points: string[]; present: boolean; last: number }[] = [];
  for (const { day, present, ...counts } of curve) {
    const count = counts[name];
    if (count === null) continue;
    const at = (day - from) / dayMs;
    const point = `${at} ${top - count}`;
    const line = lines.at(-1);
    if (line?.present === present && line.last + dayMs === day) {
      line.points.push(point);
      line.last = day;
    } else lines.push({ points: [point], present, last: day });
  }
  return lines.map(({ points, present }) => ({
    isDot: points.length === 1,
    path: `M${points.length === 1 ? `${points[0]}L${points[0]}` : points.join('L')}`,
    present,
  }));
}

/** Returns the first day that the present criteria counted after others did; null when no other did; undefined when no day is theirs yet. */
export function presentSince(curve: readonly CountedDay[]): number | null | undefined {
  const others = curve.findLastIndex(({ present }) => !present);
  return others === -1 ? null : curve[others + 1]?.day;
}
