import { compileSchema, type StripeRequestName } from './compile-schemas.ts'

/**
 * The text of an answer. Throws when it is not of the type that the vendor has for it: a stand-in that answers what
 * Stripe cannot answer is a bug of the stand-in.
 */
export function writeAnswer(name: StripeRequestName, answer: unknown): string {
  const text = JSON.stringify(answer)
  const validate = compileSchema(name, 'answer')
  if (validate(JSON.parse(text))) return text
  const [first] = validate.errors ?? []
  throw new Error(`The stand-in answers ${name} as Stripe cannot: ${first?.instancePath} ${first?.message}`)
}
