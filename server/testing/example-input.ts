/** Builds valid inputs of a call from its schemas: with every field, one item in each list, and one example per shape of a body. */
import { z } from 'zod';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/** Values by field name that satisfy rules beyond a schema's shape. */
export type Hints = Readonly<Record<string, unknown>>;

/** Returns one example for each shape of a union at the top. Throws for an unknown kind of schema. */
export function buildExamples(schema: z.ZodType, hints: Hints): readonly unknown[] {
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return listShapes(written).map((shape) => buildExample(shape, '', hints));
}

/** Returns the shapes of a schema, without null. */
function listShapes(schema: JsonSchema): readonly JsonSchema[] {
  const shapes = schema.anyOf ?? schema.oneOf;
  return shapes === undefined
    ? [schema]
    : shapes.filter(({ type }) => type !== 'null').flatMap(listShapes);
}

function buildExample(schema: JsonSchema, name: string, hints: Hints): unknown {
  if (schema.const !== undefined) return schema.const;
  const hint = hints[name];
  if (Object.hasOwn(hints, name) && fits(schema, hint)) return hint;
  if (schema.enum !== undefined) return schema.enum[0];
  const [shape] = listShapes(schema);
  if (shape !== undefined && shape !== schema) return buildExample(shape, name, hints);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return buildText(schema, name);
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    case 'array':
      return [buildExample(schema.items ?? {}, name, hints)];
    case 'object':
      return Object.fromEntries([
        ...Object.entries(schema.properties ?? {}).map(([key, value]) => [
          key,
          buildExample(value, key, hints),
        ]),
        ...(typeof schema.additionalProperties === 'object'
          ? [['title', buildExample(schema.additionalProperties, name, hints)]]
          : []),
      ]);
    default:
      throw new Error(`No example of ${name}: ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

/** Returns true if the hint has the field's type. Fields of several calls share names but not types, and items have the name of their list. */
function fits(schema: JsonSchema, hint: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(hint);
  const types = listShapes(schema).flatMap(({ type = [] }) => type);
  const own = Array.isArray(hint) ? 'array' : hint === null ? 'null' : typeof hint;
  return (
    types.some((type) => type === own || (type === 'integer' && own === 'number')) ||
    (hint === null && schema.anyOf !== undefined)
  );
}

const texts = ['text', '1', 'A'.repeat(43), `${'A'.repeat(43)}=`, '0123456789abcdef'];

function buildText({ pattern }: JsonSchema, name: string): string {
  const found = texts.find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text));
  if (found === undefined) throw new Error(`No text for ${name} is like ${pattern ?? ''}`);
  return found;
}
