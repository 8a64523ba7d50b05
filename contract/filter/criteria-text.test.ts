import { getField, isFilterable } from '@patch/catalogue/definition/list-definition.ts';
import { operators } from '@patch/catalogue/definition/operators.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { readCriteria } from './criteria-text.ts';
import { canFilter } from './wire-operators.ts';

const when = { now: 0, timeZone: 'UTC' };

describe('criteria as text', () => {
  test('are refused without a value, with an empty one, and with one too many, for every field and operator', () => {
    for (const list of catalogueLists)
      for (const name of Object.keys(list.fields).filter((one) => isFilterable(list, one))) {
        const { kind, label } = getField(list, name);
        for (const operator of operators.filter((one) => canFilter(kind, one))) {
          const head = `${name}.${operator}`;
          const read = (rest: string) => readCriteria(list, `${head}${rest}`, when);
          const refused = (problem: string) => ({ criteria: [], refused: [`${label} ${problem}`] });
          const words = operator.replaceAll('_', ' ');
          if (operator.startsWith('is_')) {
            expect(read('')).toEqual({ criteria: [{ paramName: name, operator }], refused: [] });
            for (const rest of ['.', '.x'])
              expect(read(rest), head).toEqual(refused(`takes no value after '${words}'`));
            continue;
          }
          for (const rest of ['', '.', '.1*.', '.*.1'])
            expect(read(rest), head).toEqual(refused('needs a value'));
          if (operator === 'between')
            for (const rest of ['.1', '.1*.2*.3'])
              expect(read(rest), head).toEqual(refused("needs two values for 'between'"));
          else if (!['in', 'not_in'].includes(operator))
            expect(read('.1*.2'), head).toEqual(refused(`needs one value for '${words}'`));
        }
      }
  });

  test('keep spaces and stars as values', () => {
    const text = 'name.in. *.*-**release.contains. ';
    expect(readCriteria(getList('machines'), text, when)).toEqual({
      criteria: [
        { paramName: 'name', operator: 'in', value: [' ', '*'] },
        { paramName: 'release', operator: 'contains', value: ' ' },
      ],
      refused: [],
    });
  });
});
