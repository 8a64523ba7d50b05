/** Splits a Markdown page into sections, so that one can be measured again while the others keep their figures. */

/** `section` begins with its heading ('## …') and takes the place of the one with that heading, or comes last. */
export function withSection(page: string, section: string): string {
  const heading = headingOf(section);
  const sections = page.split(/^(?=## )/m);
  const place = sections.findIndex((each) => headingOf(each) === heading);
  sections.splice(place === -1 ? sections.length : place, 1, section);
  return `${sections.map((each) => each.trim()).join('\n\n')}\n`;
}

function headingOf(section: string): string | undefined {
  return section.split('\n', 1)[0];
}
