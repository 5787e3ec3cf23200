import { compileSchema, type StripeRequestName } from './compile-schemas.ts'

/**
 * Serializes a response. Throws if it does not match the type of the `stripe` package, which is a bug of the stand-in.
 */
export function writeResponse(name: StripeRequestName, response: unknown): string {
  const text = JSON.stringify(response)
  const validate = compileSchema(name, 'answer')
  if (validate(JSON.parse(text))) return text
  const [first] = validate.errors ?? []
  throw new Error(`The stand-in returned an invalid response for ${name}: ${first?.instancePath} ${first?.message}`)
}
