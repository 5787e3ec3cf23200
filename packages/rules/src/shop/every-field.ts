/** A form with every field named, the optional ones as `undefined` where there is nothing: a new field does not compile until it is there. */
export type EveryField<Form> = { readonly [Field in keyof Required<Form>]: Form[Field] }

/** Returns the fields that are not `undefined`; the type parameter is named by the caller, so that none is forgotten. */
export function keepPresent<Form extends object>(fields: EveryField<Form>): Form
export function keepPresent(fields: Readonly<Record<string, unknown>>): object {
  const present: Record<string, unknown> = {}
  // A list may have many products: a loop takes a tenth of the time that entries take.
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name]
  return present
}

/** Takes what a reader of a form has left over: a field that it has not read does not compile. */
export function expectNothingLeft(_left: Readonly<Record<string, never>>): void {}

/** How a shop keeps a form of the wire: an amount as whole minor units in `<field>_minor`, an absent value as `null`. */
export type Kept<Form, Amount extends keyof Form> = {
  readonly [Field in keyof Required<Form> as Field extends Amount & string ? `${Field}_minor` : Field]:
    | (Field extends Amount ? number : Unchanging<Exclude<Form[Field], undefined>>)
    | (undefined extends Form[Field] ? null : never)
}

type Unchanging<Value> = Value extends readonly (infer Element)[] ? readonly Element[] : Value
