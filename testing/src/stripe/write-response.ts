import { compileSchema, type StripeRequestName } from './compile-schemas.ts'

/** Serializes a response. Throws if a bug in the stand-in caused a response that does not match its `stripe` type. */
export function writeResponse(name: StripeRequestName, response: unknown): string {
  const text = JSON.stringify(response)
  const validate = compileSchema(name, 'answer')
  if (validate(JSON.parse(text))) return text
  const [first] = validate.errors ?? []
  throw new Error(`The stand-in returned an invalid response for ${name}: ${first?.instancePath} ${first?.message}`)
}
