/** What the answers to an input are about: its customer, else its discount code, else all customers; and the code besides. */
export function subjectsOf(input: object): readonly string[] {
  const { email, discount_code }: { readonly email?: unknown; readonly discount_code?: unknown } = input
  const subjects = [
    ...(typeof email === 'string' ? [`customer ${email.toLowerCase()}`] : []),
    ...(typeof discount_code === 'string' ? [`code ${discount_code.toLowerCase()}`] : []),
  ]
  return subjects.length === 0 ? [''] : subjects
}
