/** Rules for a field of tags: for its value, for each tag by its kind, and for a tag to be added. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { brokenRule, type FormRule } from './form-rule.ts';
import { domain } from './network-rules.ts';
import { arrayMaxLength } from './number-rules.ts';
import { required } from './required-rules.ts';
import { email, max, numeric } from './text-rules.ts';

export const tagKinds = ['text', 'email', 'sms', 'domain', 'plain'] as const;
export type TagKind = (typeof tagKinds)[number];

/** Limit of one tag in characters; addresses and domains have the longer limits of mail and names. */
export const maxTagLength = 50;

/** Rules for one tag of each kind; tags are strings without surrounding space. */
const rulesByKind: Readonly<Record<TagKind, readonly FormRule<string>[]>> = {
  text: [max(maxTagLength)],
  email: [email],
  sms: [max(maxTagLength), numeric],
  domain: [domain],
  plain: [max(maxTagLength)],
};

/**
 * Returns the problem of a tag to be added to the others; null when it may be added.
 * @param most maximum number of tags.
 */
export function wrongTag(
  tag: string,
  others: readonly string[],
  kind: TagKind,
  field: string,
  most = Infinity,
): string | null {
  if (others.some((other) => fold(other) === fold(tag)))
    return `The same value already exists for ${field}`;
  return brokenRule(tag, field, rulesByKind[kind]) ?? arrayMaxLength(most)([...others, tag], field);
}

/**
 * Checks the complete value, whatever its origin. A value is required unless the picker is always in text mode, where it is a
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
    // An untouched form field is an empty text.
    const tags = value || [];
    const missing = alwaysText ? null : required(tags, field);
    if (missing !== null) return missing;
    for (const [index, tag] of tags.entries()) {
      const wrong = wrongTag(tag, tags.slice(0, index), kind, field, most);
      if (wrong !== null) return wrong;
    }
    return null;
  };
}
