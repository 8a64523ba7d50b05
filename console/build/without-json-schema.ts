/** Leaves out a third of zod: what makes JSON schemas, which only the server does to describe the API. */
import type { Plugin } from 'vite';

const schemas = /zod\/v4\/classic\/schemas\.js$/;

/** What each schema knows of its JSON schema, by the lines of the package that say it. */
const cuts: readonly (readonly [RegExp, string])[] = [
  [/^\s*inst\._zod\.processJSONSchema = .*;$/gm, ''],
  [/createStandardJSONSchemaMethod\(this, "(?:input|output)"\)/g, 'undefined'],
  [/createToJSONSchemaMethod\(this, \{\}\)\(params\)/g, 'undefined'],
];

export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!schemas.test(id.replace(/\?.*$/, ''))) return null;
      return cuts.reduce((before, [lines, instead]) => {
        const after = before.replaceAll(lines, instead);
        if (after === before)
          throw new Error(`zod has changed: nothing in its schemas matches ${lines.source}`);
        return after;
      }, code);
    },
  };
}
