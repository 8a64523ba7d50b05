import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { RequestedViewSearch } from './saved-view-endpoints.ts';
import { searchEndpoint } from './search-endpoint.ts';
import { searchTagsEndpoint } from './search-tags-endpoint.ts';
import {
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
} from './shared-identifier-endpoints.ts';

const { body } = searchEndpoint(getList('all_patches'));
const view = { criteria: '', keyword: '', sort: null, columns: null };

const entrances = {
  'a keyword': (text: string) => body.safeParse({ keyword: text }),
  'a filter': (text: string) => body.safeParse({ filter: `lower(title) like '${text}'` }),
  'the keyword of a view': (text: string) =>
    RequestedViewSearch.safeParse({ ...view, keyword: text }),
  'the criteria of a view': (text: string) =>
    RequestedViewSearch.safeParse({ ...view, criteria: text }),
  'a tag': (text: string) => searchTagsEndpoint.query.safeParse({ tag: text }),
  'an identifier': (text: string) =>
    identifierRecordsEndpoint.params.safeParse({ identifier: text }),
  'an identifier without records': (text: string) =>
    nearestIdentifiersEndpoint.params.safeParse({ identifier: text }),
};

test.each(Object.entries(entrances))('refuses control characters in %s', (_, read) => {
  for (const text of ['abc\0', '\0', 'a\u001bb', 'a\u007f', '\u0085']) {
    const { error } = read(text);
    expect(error?.issues[0]?.message).toContain('any other text is allowed');
  }
  for (const text of ['abc', 'İ ß', 'a\tb', 'a\nb', '\uffff'])
    expect(read(text).success).toBe(true);
});
