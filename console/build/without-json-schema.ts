/** Removes JSON schema generation, a third of zod, from the console. Only the server uses it, for OpenAPI. */
import type { Plugin } from 'vite';

const schemas = /zod\/v4\/classic\/schemas\.js$/;

/** Lines of zod that attach JSON schema generation to each schema, with their replacements. */
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
      return cuts.reduce((before, [lines, replacement]) => {
        const after = before.replaceAll(lines, replacement);
        if (after === before)
          throw new Error(`zod has changed: nothing in its schemas matches ${lines.source}`);
        return after;
      }, code);
    },
  };
}
