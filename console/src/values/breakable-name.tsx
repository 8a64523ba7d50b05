/** Renders a long name with line-break opportunities between its parts. */
import { Fragment } from 'react';
import { nameParts } from './name-parts.ts';

/** Shorter names fit in any column. */
const minLength = 12;

export function BreakableName({ name }: { readonly name: string }) {
  if (name.length < minLength) return name;
  return nameParts(name).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
