/** An API key and the text that replaces it. */
export interface Secret {
  /** The key; nothing is hidden for `undefined` and for fewer than 4 characters. */
  readonly key: string | undefined
  /** What is shown instead. */
  readonly shown: string
}

/** Takes keys out of a text. */
export type HideKeys = (text: string) => string

/**
 * Makes a function that takes API keys out of any text: in other letters, percent-encoded, escaped or in Base64, and any part that
 * is three quarters of a key or more, since a shop may repeat the almost right key of a check.
 */
export function createKeyHider(secrets: readonly Secret[]): HideKeys {
  const hiders = secrets.flatMap(({ key = '', shown }) =>
    key.length < 4 ? [] : formsOf(key).map((form) => (text: string) => withoutParts(text, form, shown)),
  )
  return (text) => hiders.reduce((hidden, hide) => hide(hidden), text)
}

function formsOf(key: string): readonly string[] {
  const base64 = [key, `:${key}`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''))
  return [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64])]
}

function withoutParts(text: string, secret: string, shown: string): string {
  const length = Math.min(secret.length, Math.max(8, Math.ceil(secret.length * 0.75)))
  const haystack = lower(text)
  const starts = partsOf(lower(secret), length)
    .flatMap((part) => placesOf(part, haystack))
    .toSorted((one, other) => one - other)
  let hidden = ''
  let end = 0
  for (const start of starts) {
    // Parts that overlap are one.
    if (start >= end) hidden += text.slice(end, start) + shown
    end = start + length
  }
  return hidden + text.slice(end)
}

/** Every part of the given number of letters. */
function partsOf(text: string, length: number): readonly string[] {
  const parts = Array.from({ length: text.length - length + 1 }, (_, start) => text.slice(start, start + length))
  return [...new Set(parts)]
}

function placesOf(part: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at)
  return places
}

/** In lower case, as long as that has the same length: a few letters grow. */
function lower(text: string): string {
  const lowered = text.toLowerCase()
  return lowered.length === text.length ? lowered : text
}
