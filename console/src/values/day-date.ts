/** The calendar day of an instant, and its exact time, for instants that vendors made up too. */
import { absoluteTime } from '../widgets/time-text.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      month: 'short',
      day: '2-digit',
      year: 'numeric',
    });
  formats.set(zone, format);
  return format;
}

/** Beyond this no calendar goes. */
const furthest = 8.64e15;
export const isInstant = (at: number): boolean => Math.abs(at) <= furthest;

/** Mar 12, 2024. What is no instant is shown as the number it is. */
export function dayDate(at: number, zone: string): string {
  return isInstant(at) ? formatFor(zone).format(at) : String(at);
}

/** Tue, Mar 12, 2024 05:00 PM. */
export function exactDate(at: number, zone: string): string {
  return isInstant(at) ? absoluteTime(at, zone) : String(at);
}
