/** What can be typed into the search bar, as examples made of the list's own fields. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isOfWords } from '@patch/contract/filter/wire-operators.ts';

interface Example {
  readonly typed: string;
  readonly means: string;
}

export function syntaxExamples(list: ListDefinition): readonly Example[] {
  const first = (fits: (kind: FieldKind) => boolean) => {
    const name = list.searchable.find((candidate) => fits(fieldOf(list, candidate).kind));
    return name === undefined
      ? undefined
      : { name: list.filterName[name] ?? name, ...fieldOf(list, name) };
  };
  const words =
    first((kind) => kind === 'text') ?? first((kind) => isOfWords(kind) && kind !== 'choice');
  const choice = first((kind) => kind === 'choice');
  const date = first((kind) => kind === 'date');
  const number = first((kind) => ['number', 'decimal', 'size'].includes(kind));
  const flag = first((kind) => kind === 'flag');
  const choices = choice?.choices?.slice(-2).toReversed().join(',') ?? '';
  return [
    {
      typed: 'openssl',
      means: 'The word anywhere in the record; an exact identifier opens its record',
    },
    { typed: 'critical openssl', means: 'Both words, in any order: texts, severity and release' },
    { typed: '"security update"', means: 'These words next to each other' },
    ...(words === undefined
      ? []
      : [
          { typed: `${words.name}:ssl`, means: `${words.label} contains ssl` },
          {
            typed: `${words.name}:open ssl`,
            means: `${words.label} contains open ssl: all words up to the next field or quote`,
          },
          { typed: `${words.name}="open ssl"`, means: `${words.label} is exactly that` },
          { typed: `${words.name}:open*`, means: `${words.label} starts with open` },
          { typed: `-${words.name}:beta`, means: `${words.label} does not contain beta` },
          { typed: `${words.name}:*`, means: `${words.label} is not empty` },
        ]),
    ...(choice === undefined
      ? []
      : [{ typed: `${choice.name}:${choices}`, means: `${choice.label} is one of them` }]),
    ...(date === undefined
      ? []
      : [
          { typed: `${date.name}:<30d`, means: `${date.label} within the last 30 days` },
          {
            typed: `${date.name}:2024-01..2024-03`,
            means: `${date.label} from January to March 2024`,
          },
          { typed: `${date.name}>2024-02-13`, means: `${date.label} after that day` },
          {
            typed: `${date.name}:last_week`,
            means: 'Also today, this_week, this_month, last_month, last_24_hours',
          },
        ]),
    ...(number === undefined
      ? []
      : [{ typed: `${number.name}:100..200`, means: `${number.label} between the two` }]),
    ...(flag === undefined ? [] : [{ typed: `${flag.name}:yes`, means: flag.label }]),
    { typed: 'openssl export:csv', means: 'Searches and exports what is found; also export:json' },
  ];
}
