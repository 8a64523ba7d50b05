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

/** Words as JSON bodies contain them. */
const oddWords = [
  'a\0b',
  '\0',
  '\ud800',
  'a\udc00b',
  '\udc00\ud800',
  '\u202e\u2066\u200b\ufeff',
  '\uffff',
  '\u0130',
  '\r\n',
  '',
  '%',
  '_',
  String.raw`\\`,
  String.raw`\%`,
  "''",
  '\ud83d\ude00',
  // Several fields with this value fit into a filter.
  '%_x'.repeat(150),
];
const oddNumbers = [
  '-1',
  '-0',
  '0.5',
  '1e308',
  '-1e308',
  '1e999',
  'NaN',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(400),
  'true',
  'null',
  "'1'",
  "'\0'",
];
const oddNames = [
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '\u202eid',
  '',
  "'",
  'x'.repeat(7000),
  'x'.repeat(200_000),
];

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
