/** A name that may stand on two lines: the browser breaks it where its parts meet. */
import { Fragment } from 'react';
import { nameParts } from './name-parts.ts';

/** Shorter ones fit on the line of any column. */
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
