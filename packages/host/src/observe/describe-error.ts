import { withoutEmails } from '@storeport/core'

/** What a log line says about something that was thrown: what it is and where, without email addresses. */
export function describeError(error: unknown): { readonly error: string; readonly at?: readonly string[] } {
  if (!(error instanceof Error)) return { error: `thrown value of type ${typeof error}` }
  const { name, message, stack = '' } = error
  // The stack repeats the message, which may go over several lines and hold anything.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const at = frames.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  return { error: withoutEmails(`${name}: ${message}`), at: at.slice(0, 10) }
}
