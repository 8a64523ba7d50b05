/** Reads criteria that people copy from the address of a list, where they are percent-encoded. */
import { operators } from '@patch/catalogue/definition/operators.ts';
import { z } from 'zod';
import { CriterionError } from '../filter/criterion.ts';
import { SearchText } from './common-schemas.ts';

const maxLength = 8192;

/** Criteria of a request, as `writeCriteria` writes them afterwards. Replies and stored texts are not read with it: they are decoded. */
export const RequestedCriteria = SearchText.max(maxLength)
  .transform((text, context) => {
    try {
      return readCriteriaAddress(text);
    } catch (failure) {
      if (!(failure instanceof CriterionError)) throw failure;
      context.addIssue({ code: 'custom', message: failure.message });
      return z.NEVER;
    }
  })
  .pipe(SearchText);

/** An address, a part of it from ? or # on, or from the parameter on. No criterion begins so. */
const addressForm = /^(?:https?:\/\/|[/?#]|criteria=)/i;
const escapeForm = /%[0-9a-f]{2}/i;

/**
 * Returns criteria as they are, and those of an address decoded once. Percent encoding without an address could be meant as it is
 * written, or not.
 * @throws CriterionError
 */
export function readCriteriaAddress(text: string): string {
  const start = text.trimStart();
  if (addressForm.test(start) || isWithoutScheme(start)) return readParameters(start.trimEnd());
  const [escape] = escapeForm.exec(text) ?? [];
  if (escape !== undefined)
    throw new CriterionError(
      `must not have percent encoding such as ${escape}: paste the whole address of the list, or from ?criteria= on, or write the characters themselves`,
    );
  return text;
}

/** Returns whether the text is an address as browsers show it. A criterion has an operator after the first point. */
function isWithoutScheme(text: string): boolean {
  const [, host] = /^([^\s?#*/]+)\/[^\s?#*]*\?/.exec(text) ?? [];
  return host !== undefined && !operators.some((operator) => operator === host.split('.', 2)[1]);
}

function readParameters(address: string): string {
  const query = /^[?#]/.test(address) ? address.replace(/^[?#]+/, '') : getQuery(address);
  const hasNames = /^\w+=/.test(query);
  const written = hasNames || query === '' ? query : `criteria=${query}`;
  try {
    decodeURIComponent(written);
  } catch {
    throw new CriterionError('has percent encoding that is not valid: copy the address again');
  }
  const parameters = new URLSearchParams(written);
  for (const name of ['keyword', 'view'])
    if (!['', 'all'].includes(parameters.get(name) ?? ''))
      throw new CriterionError(
        `must be criteria alone: the address has the parameter ${name} too, without which it finds something else`,
      );
  const criteria = parameters.get('criteria');
  if (criteria === null)
    throw new CriterionError('must be an address with the parameter criteria, or criteria alone');
  return criteria;
}

function getQuery(address: string): string {
  if (/^criteria=/i.test(address)) return address;
  const [, query = ''] = /^[^?]*\?([^#]*)/.exec(address) ?? [];
  return query;
}

/** Returns criteria so that `RequestedCriteria` reads exactly these, whatever they have. */
export const requestCriteria = (criteria: string): string =>
  escapeForm.test(criteria) ? `?criteria=${encodeURIComponent(criteria)}` : criteria;
