/** The rules of a field of tags: of its value, of each tag by its kind, and of one that is to be added. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { brokenRule, type FormRule } from './form-rule.ts';
import { domain } from './network-rules.ts';
import { arrayMaxLength } from './number-rules.ts';
import { required } from './required-rules.ts';
import { email, max, numeric } from './text-rules.ts';

export const tagKinds = ['text', 'email', 'sms', 'domain', 'plain'] as const;
export type TagKind = (typeof tagKinds)[number];

/** Of one tag, in characters. Addresses and domains have the longer limits of mail and of names. */
export const maxTagLength = 50;

/** What each tag of a kind must be; tags are strings without space around them. */
const ofOneTag: Readonly<Record<TagKind, readonly FormRule<string>[]>> = {
  text: [max(maxTagLength)],
  email: [email],
  sms: [max(maxTagLength), numeric],
  domain: [domain],
  plain: [max(maxTagLength)],
};

/** What is wrong with a tag that is to be added to the others; null when it can be added. `most`: tags that the field may have. */
export function wrongTag(
  tag: string,
  others: readonly string[],
  kind: TagKind,
  field: string,
  most = Infinity,
): string | null {
  if (others.some((other) => fold(other) === fold(tag)))
    return `The same value already exists for ${field}`;
  return brokenRule(tag, field, ofOneTag[kind]) ?? arrayMaxLength(most)([...others, tag], field);
}

/**
 * Of the whole value, wherever it comes from. It is required, unless the picker is always in text mode: then what is typed is a
 * text that may be empty.
 */
export function tagsRule(
  kind: TagKind,
  {
    alwaysText = false,
    most = Infinity,
  }: { readonly alwaysText?: boolean; readonly most?: number } = {},
): FormRule<readonly string[] | null | undefined> {
  return (value, field) => {
    // An untouched field of a form is an empty text.
    const tags = value || [];
    const missing = alwaysText ? null : required(tags, field);
    if (missing !== null) return missing;
    for (const [place, tag] of tags.entries()) {
      const wrong = wrongTag(tag, tags.slice(0, place), kind, field, most);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}
