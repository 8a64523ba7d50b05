/**
 * Searches lists by every field, operator and keyword with unexpected values. The result is rows or a refusal, never a
 * database error.
 */
import { operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import {
  isOfWords,
  type WireOperator,
  wireOperators,
} from '@patch/contract/filter/wire-operators.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { register } from '../../licensing/clients/testing/client-registry.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { seedRecords } from '../../testing/seeded-resources.ts';
import * as unexpected from '../../testing/unexpected-values.ts';

const decode = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as string);

/** Longer words exceed the limit of a filter; several fields with the last one fit. */
const oddWords = [
  ...decode(unexpected.oddTexts).filter((text) => text.length < 1000),
  "''",
  String.raw`\%`,
  '%_x'.repeat(150),
];
/** Values of numbers as a filter contains them. */
const oddNumbers = [
  ...unexpected.oddNumbers,
  '9223372036854775807',
  '9'.repeat(400),
  'NaN',
  'true',
  'null',
  "'1'",
  "'\0'",
];
const oddNames = [...decode(unexpected.oddNames), "'", 'toString', 'x'.repeat(7000)];

/** Returns the condition in the filter language with the value unchanged. */
function conditionOn(
  list: CatalogueList,
  field: string,
  operator: Operator,
  value: string,
): string {
  const { kind } = getField(list, field);
  const name = list.filterName[field] ?? field;
  const words = isOfWords(kind);
  const written = words ? `'${value}'` : value;
  const wire: WireOperator = wireOperators[operator];
  const operand: Partial<Record<WireOperator, string>> = {
    in: `(${written},${written})`,
    'not in': `(${written},${written})`,
    between: `${written} and ${written}`,
    'is null': '',
    'is not null': '',
  };
  return `${words ? `lower(${name})` : name} ${wire} ${operand[wire] ?? written}`;
}

export interface OddFilterOptions {
  /** Chooses the values that are tried with one operator of fields of one kind. */
  readonly pick: (values: readonly string[]) => readonly string[];
  /** Requests for each list that must be answered with rows. */
  readonly leastAnswered: number;
}

export function testOddFilters({ pick, leastAnswered }: OddFilterOptions): void {
  describeWithDatabase('odd filters', (open) => {
    const service = withSignInApp(open);
    let token = '';
    beforeAll(async () => {
      await service.repopulate();
      await seedRecords(service.database);
      await register(service);
    });
    beforeEach(async () => {
      token = await service.createToken('Operator');
    });

    /** Returns null for rows and for a refusal with a reason. */
    async function wrongWith(
      { searchPath }: CatalogueList,
      body: object,
    ): Promise<{ readonly status: number; readonly wrong: string | null }> {
      const { status, json } = await service.ask('POST', searchPath, { token, body });
      const words = String(json['userMessage']);
      const isRight =
        status === 200 || (status === 422 && words.length > 10 && words.length < 5000);
      return {
        status,
        wrong: isRight
          ? null
          : `${JSON.stringify(body).slice(0, 200)}: ${status} ${JSON.stringify(json).slice(0, 300)}`,
      };
    }

    test.each(catalogueLists)(
      '$key answers or refuses them',
      { timeout: 120_000 },
      async (list) => {
        const wrong: string[] = [];
        const note = async (body: object) => {
          const found = await wrongWith(list, body);
          if (found.wrong !== null) wrong.push(found.wrong);
          return found.status;
        };
        const fields = Map.groupBy(
          list.searchable,
          (field) => operatorsOfKind[getField(list, field).kind],
        );
        const done = new Set<string>();
        let answered = 0;
        for (const [operators, names] of fields)
          for (const operator of operators)
            for (const value of pick(
              isOfWords(getField(list, names[0] ?? 'id').kind) ? oddWords : oddNumbers,
            )) {
              const conditions = names.map((field) => conditionOn(list, field, operator, value));
              const filter = conditions.join(' and ');
              // `is null` has no value.
              if (done.has(filter)) continue;
              done.add(filter);
              // All together; each alone when something was refused.
              if ((await note({ filter })) === 200) answered += 1;
              else for (const condition of conditions) await note({ filter: condition });
            }
        for (const name of pick(oddNames))
          for (const filter of [`${name} = 1`, `lower(${name}) = 'a'`, `id ${name} 1`])
            await note({ filter });
        for (const keyword of pick(oddWords)) await note({ keyword });
        for (const keyword of pick(oddWords))
          await note({ keyword: `kernel ${keyword.slice(0, 240)}` });
        expect(wrong.slice(0, 10), `${wrong.length} in all`).toEqual([]);
        expect(answered).toBeGreaterThan(leastAnswered);
        expect((await service.ask('GET', '/health')).status).toBe(200);
      },
    );
  });
}
