import { compileSchema, type StripeRequestName } from './compile-schemas.ts'

/**
 * Serializes a response. Throws if the response does not match its type in the `stripe` package: then the stand-in has a bug.
 */
export function writeResponse(name: StripeRequestName, response: unknown): string {
  const text = JSON.stringify(response)
  const validate = compileSchema(name, 'answer')
  if (validate(JSON.parse(text))) return text
  const [first] = validate.errors ?? []
  throw new Error(`The stand-in returned an invalid response for ${name}: ${first?.instancePath} ${first?.message}`)
}
