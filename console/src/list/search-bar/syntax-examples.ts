/** Examples of searches, made of the list's fields and the values of its rows. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField } from '@patch/catalogue/definition/record-name.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { isOfWords } from '@patch/contract/filter/wire-operators.ts';
import {
  type ExampleText,
  findExampleChoices,
  findExampleNumber,
  findExampleText,
  findExampleValue,
} from './example-values.ts';

interface Example {
  readonly typed: string;
  readonly means: string;
}

interface ExampleField {
  readonly paramName: string;
  /** Name to type. */
  readonly name: string;
  readonly label: string;
}

const dayMs = 86_400_000;

/** Without rows, returns only examples that need no value. */
export function buildExamples(list: ListDefinition, rows: readonly WireRow[]): readonly Example[] {
  const all = (fits: (kind: FieldKind) => boolean) => findFields(list, fits);
  const words =
    all((kind) => kind === 'text')[0] ?? all((kind) => isOfWords(kind) && kind !== 'choice')[0];
  const text = words === undefined ? undefined : findExampleText(rows, words.paramName);
  return [
    ...buildKeywordExamples(list, text),
    ...(words === undefined
      ? []
      : buildWordExamples(words, text, findExampleValue(rows, words.paramName))),
    ...all((kind) => kind === 'choice')
      .slice(0, 1)
      .map((field) => buildChoiceExample(field, findExampleChoices(list, rows, field.paramName))),
    ...all((kind) => kind === 'date')
      .slice(0, 1)
      .flatMap((field) => buildDateExamples(field, findExampleNumber(rows, field.paramName))),
    ...buildNumberExample(
      all((kind) => ['number', 'decimal', 'size'].includes(kind)),
      rows,
    ),
    ...all((kind) => kind === 'flag')
      .slice(0, 1)
      .map((field) => buildFlagExample(field, rows)),
    {
      typed: `${text?.word ?? ''} export:csv`.trim(),
      means: 'Searches and exports what is found; also export:json',
    },
  ];
}

function findFields(list: ListDefinition, fits: (kind: FieldKind) => boolean): ExampleField[] {
  return list.searchable
    .filter((name) => fits(getField(list, name).kind))
    .map((paramName) => ({
      paramName,
      name: list.filterName[paramName] ?? paramName,
      label: getField(list, paramName).label,
    }));
}

function buildKeywordExamples(
  list: ListDefinition,
  text: ExampleText | undefined,
): readonly Example[] {
  if (text === undefined) return [];
  const { word, phrase, row } = text;
  const severity = severityField(list);
  const rank = severity === undefined ? undefined : row[severity];
  return [
    {
      typed: word,
      means: 'The word anywhere in the record; an exact identifier opens its record',
    },
    ...(typeof rank === 'string'
      ? [
          {
            typed: `${rank.toLowerCase()} ${word}`,
            means: 'Both words, in any order: texts, severity and release',
          },
        ]
      : []),
    ...(phrase === undefined
      ? []
      : [{ typed: `"${phrase}"`, means: 'These words next to each other' }]),
  ];
}

function buildWordExamples(
  { name, label }: ExampleField,
  text: ExampleText | undefined,
  value: string | undefined,
): readonly Example[] {
  const examples = [{ typed: `${name}:*`, means: `${label} is not empty` }];
  if (value !== undefined)
    examples.unshift({ typed: `${name}="${value}"`, means: `${label} is exactly that` });
  if (text === undefined) return examples;
  const { word, phrase, beginning } = text;
  return [
    { typed: `${name}:${word}`, means: `${label} contains ${word}` },
    ...(phrase === undefined
      ? []
      : [
          {
            typed: `${name}:${phrase}`,
            means: `${label} contains ${phrase}: all words up to the next field or quote`,
          },
        ]),
    ...(beginning === undefined
      ? []
      : [{ typed: `${name}:${beginning}*`, means: `${label} starts with ${beginning}` }]),
    { typed: `-${name}:${word}`, means: `${label} does not contain ${word}` },
    ...examples,
  ];
}

function buildChoiceExample({ name, label }: ExampleField, choices: readonly string[]): Example {
  const written = choices
    .slice(0, 2)
    .map((choice) => (/[\s,"]/.test(choice) ? `"${choice}"` : choice));
  return { typed: `${name}:${written.join(',')}`, means: `${label} is one of them` };
}

function buildDateExamples(
  { name, label }: ExampleField,
  value: number | undefined,
): readonly Example[] {
  const relative = [
    { typed: `${name}:<30d`, means: `${label} within the last 30 days` },
    {
      typed: `${name}:last_week`,
      means: 'Also today, this_week, this_month, last_month, last_24_hours',
    },
  ];
  if (value === undefined) return relative;
  const year = new Date(value).getUTCFullYear();
  const dayBefore = new Date(value - dayMs).toISOString().slice(0, 10);
  return [
    ...relative,
    { typed: `${name}:${year}-01..${year}-12`, means: `${label} from January to December ${year}` },
    { typed: `${name}>${dayBefore}`, means: `${label} after that day` },
  ];
}

/** Range around a value of the first field that has one. */
function buildNumberExample(
  fields: readonly ExampleField[],
  rows: readonly WireRow[],
): readonly Example[] {
  for (const { paramName, name, label } of fields) {
    const value = findExampleNumber(rows, paramName);
    if (value === undefined) continue;
    const [from, to] = [Math.floor(value), Math.ceil(value) + 1];
    return [{ typed: `${name}:${from}..${to}`, means: `${label} between the two` }];
  }
  return [];
}

function buildFlagExample(
  { paramName, name, label }: ExampleField,
  rows: readonly WireRow[],
): Example {
  const no = rows.some((row) => row[paramName] === false);
  const yes = !no || rows.some((row) => row[paramName] === true);
  return { typed: `${name}:${yes ? 'yes' : 'no'}`, means: `${label}: ${yes ? 'Yes' : 'No'}` };
}
