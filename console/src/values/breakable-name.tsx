/** Renders a long name with line-break opportunities between its parts. */
import { Fragment } from 'react';
import { nameParts } from './name-parts.ts';

/** Shorter names fit in any column. */
const shortest = 12;

export function BreakableName({ name }: { readonly name: string }) {
  if (name.length < shortest) return name;
  return nameParts(name).map((part, place) => (
    <Fragment key={`${place} ${part}`}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
