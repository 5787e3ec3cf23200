import type * as z from 'zod/mini'

/** Names the first thing that is wrong and where, without any value: `data.items[0].price: must be a number`. */
export function firstIssue(error: z.core.$ZodError, root = ''): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'it cannot be read'
  const where = issue.path.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`
    return at === '' ? String(key) : `${at}.${String(key)}`
  }, root)
  return where === '' ? issue.message : `${where}: ${issue.message}`
}
