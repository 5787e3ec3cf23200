import { withoutEmails } from './without-emails.ts'

/** What a log line says of an error. */
export interface ErrorDescription {
  /** What was thrown, without email addresses. */
  readonly error: string
  /** The code that the system or the database gave the first cause, such as `ECONNREFUSED`, `SQLITE_FULL` or `57014`. */
  readonly cause?: string
  /** Where the first cause was thrown, innermost first. */
  readonly at?: readonly string[]
}

/** Causes of causes that are looked at. */
const mostCauses = 5

/** What a log line says about something that was thrown, also when looking at it throws: what it is, the code of its cause and where, without customer data. */
export function describeError(error: unknown): ErrorDescription {
  try {
    return error instanceof Error ? describeCauses(error) : { error: `thrown value of type ${typeof error}` }
  } catch {
    return { error: 'thrown value that cannot be read' }
  }
}

function describeCauses(error: Error): ErrorDescription {
  const causes = causesOf(error)
  const cause = causes.map(codeOf).findLast((code) => code !== undefined)
  return {
    error: withoutEmails(`${error.name}: ${error.message}`),
    ...(cause !== undefined && { cause }),
    at: framesOf(causes.findLast(({ stack }) => stack !== undefined) ?? error),
  }
}

/** An error and what caused it, the first cause last; of several at once, such as of connections to several addresses, the first. */
function causesOf(error: Error): Error[] {
  const causes = [error]
  while (causes.length <= mostCauses) {
    const last = causes.at(-1)
    const next: unknown = last instanceof AggregateError ? last.errors[0] : last?.cause
    if (!(next instanceof Error) || causes.includes(next)) break
    causes.push(next)
  }
  return causes
}

/** Codes of systems and databases are capitals and digits: nothing of a customer's looks like that. */
function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]{2,40}|[0-9A-Z]{5})$/.test(code) ? code : undefined
}

/** The stack repeats the message, which may go over several lines and hold anything. */
function framesOf({ message, stack = '' }: Error): string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const frames = lines.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  return frames.slice(0, 10)
}
