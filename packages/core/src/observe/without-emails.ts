const longest = 500

/** A text that is safe to show and to log: every word that holds an email address is taken out, and at most 500 characters are kept. */
export function withoutEmails(text: string): string {
  const safe = /@|%40/.test(text) ? text.replace(/\S+/g, (word) => (/@|%40/.test(word) ? '[email]' : word)) : text
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe
}
