// JSON Schemas with the types of TypeBox, from which TypeScript learns what a valid body is. Only its types are taken: its
// seven hundred files would be a third of the time that a process takes to start, for the twelve builders used here.

import type {
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TPartial,
  TProperties,
  TSchema,
  TString,
  TUnion,
  TUnknown,
  TUnsafe,
} from 'typebox'

export type { Static, TSchema } from 'typebox'

type Options = Readonly<Record<string, unknown>>

// A symbol is not printed with a schema, and goes along when one is copied.
const OPTIONAL = Symbol('optional')

const make = <Schema>(keywords: object, options?: Options): Schema => ({ ...keywords, ...options }) as Schema

const isRequired = (schema: TSchema): boolean => !(OPTIONAL in schema)

export const Type = {
  Array: <Item extends TSchema>(items: Item, options?: Options) =>
    make<TArray<Item>>({ type: 'array', items }, options),
  Boolean: (options?: Options) => make<TBoolean>({ type: 'boolean' }, options),
  Integer: (options?: Options) => make<TInteger>({ type: 'integer' }, options),
  Literal: <const Value extends TLiteralValue>(value: Value, options?: Options) =>
    make<TLiteral<Value>>({ type: typeof value, const: value }, options),
  Null: (options?: Options) => make<TNull>({ type: 'null' }, options),
  Number: (options?: Options) => make<TNumber>({ type: 'number' }, options),
  Object: <Properties extends TProperties>(properties: Properties, options?: Options) => {
    const required = Object.keys(properties).filter((name) => isRequired(properties[name] as TSchema))
    const keywords = { type: 'object', ...(required.length > 0 && { required }), properties }
    return make<TObject<Properties>>(keywords, options)
  },
  Optional: <Schema extends TSchema>(schema: Schema) =>
    ({ ...schema, [OPTIONAL]: true }) as unknown as TOptional<Schema>,
  Partial: <Properties extends TProperties>({ properties }: TObject<Properties>) =>
    make<TPartial<TObject<Properties>>>({ type: 'object', properties }),
  String: (options?: Options) => make<TString>({ type: 'string' }, options),
  Union: <Schemas extends TSchema[]>(anyOf: [...Schemas], options?: Options) =>
    make<TUnion<Schemas>>({ anyOf }, options),
  Unknown: (options?: Options) => make<TUnknown>({}, options),
  // Whatever JSON Schema can say; the caller knows which type it stands for.
  Unsafe: <Value>(schema: object) => make<TUnsafe<Value>>(schema),
}
