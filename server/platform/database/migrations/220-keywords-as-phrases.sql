-- A keyword of several words was one phrase; now each word is looked for on its own, and quotes make a phrase. Views that were saved
-- before keep their meaning: in quotes, quotes inside doubled. The blanks are those that `trim` removed and that separate words now.
update saved_view set search = jsonb_set(search, '{keyword}', to_jsonb(coalesce('"' || nullif(replace(
    regexp_replace(search ->> 'keyword', '^[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+|[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+$', '', 'g'),
    '"', '""'), '') || '"', '')))
  where search ->> 'keyword' ~ '[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|^"';
