/** How wide each column is: what it needs, what it would like, and how a screen's width is shared out among them. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import { headlineColumn } from './column-choice.ts';

interface Wish {
  /** Below this a value can no longer be told from another. */
  readonly least: number;
  /** At this most values stand whole. */
  readonly ideal: number;
}

const wishOfKind: Record<FieldKind, Wish> = {
  text: { least: 140, ideal: 300 },
  prose: { least: 160, ideal: 340 },
  identifier: { least: 124, ideal: 184 },
  identifiers: { least: 160, ideal: 260 },
  tags: { least: 132, ideal: 200 },
  choice: { least: 124, ideal: 132 },
  number: { least: 80, ideal: 96 },
  decimal: { least: 72, ideal: 88 },
  size: { least: 96, ideal: 108 },
  date: { least: 124, ideal: 216 },
  flag: { least: 80, ideal: 112 },
  link: { least: 132, ideal: 200 },
};

/** What a record is called: the one text that people read from row to row. */
const wishOfHeadline: Wish = { least: 232, ideal: 380 };

/** Of a badge beside what the record is called: most records have one at most. */
const roomOfBadge = 92;

/** Of a name whose letters are counted, each of which counts: them in the fixed-width font, and the button that copies it. */
function wishOfLetters(letters: number): Wish {
  const width = Math.ceil(letters * 7.8) + 56;
  return { least: width, ideal: width };
}

const growing: readonly FieldKind[] = ['text', 'prose'];

/** One width for each column. Their sum is what is available, or more when that is too little: then the table scrolls sideways. */
export function columnWidths(
  list: ListDefinition,
  columns: readonly string[],
  dragged: Readonly<Record<string, number>>,
  available: number,
): number[] {
  const headline = headlineColumn(list, columns);
  const badge = badgeFields(list).length === 0 ? 0 : roomOfBadge;
  const headlineWish = { least: wishOfHeadline.least + badge, ideal: wishOfHeadline.ideal + badge };
  const wishes = columns.map((name) => {
    const width = dragged[name];
    const { kind, letters } = fieldOf(list, name);
    const wish =
      name === headline
        ? headlineWish
        : letters === undefined
          ? wishOfKind[kind]
          : wishOfLetters(letters);
    return width === undefined
      ? { ...wish, grows: growing.includes(kind) }
      : { least: width, ideal: width, grows: false };
  });
  const sum = (of: 'least' | 'ideal') => wishes.reduce((total, wish) => total + wish[of], 0);
  const [least, ideal] = [sum('least'), sum('ideal')];
  if (available >= ideal) {
    const anyGrows = wishes.some(({ grows }) => grows);
    const growers = wishes.filter(({ grows }) => grows || !anyGrows).length;
    return wishes.map(
      (wish) => wish.ideal + (wish.grows || !anyGrows ? (available - ideal) / growers : 0),
    );
  }
  const share = ideal === least ? 0 : Math.max(0, (available - least) / (ideal - least));
  return wishes.map((wish) => wish.least + (wish.ideal - wish.least) * share);
}
