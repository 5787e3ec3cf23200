import { withoutEmails } from '@storeport/core'

/** A server's message as it may be shown and logged: without email addresses and the key; `undefined` when nothing is left. */
export function safeMessage(message: string, apiKey: string): string | undefined {
  const safe = withoutEmails(message.replaceAll(apiKey, '[key]'))
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return safe === '' ? undefined : safe
}
