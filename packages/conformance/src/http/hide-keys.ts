import { createHash } from 'node:crypto'
import { endpointNames, type NameOptions, namesFor } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'

/** Removes API keys and everything derived from them. */
export interface HideKeys {
  /** Removes the keys from a string. */
  (text: string): string
  /** Removes the keys from a header line. Also replaces a short part of a key in the header of the API key. */
  line(line: HeaderLine): HeaderLine
}

/** Options of `createKeyHider`: options of a run. */
interface KeyHiderOptions {
  readonly apiKey: string
  readonly secondApiKey?: string | undefined
  /** Names of paths and headers, which remain readable. */
  readonly names?: NameOptions | undefined
  /** The transport, whose host remains readable. */
  readonly send?: { readonly host?: string }
}

type HeaderLine = readonly [name: string, value: string]

/** Placeholder for a part, an encoding or a hash of a key. It reveals neither the content nor the length. */
export const derivedFromKey = '<derived from the key>'

/** Minimum length of a replaced part of a key, in characters. Keys with fewer than 4 characters are not replaced. */
const minPart = 6

/** Minimum length of a replaced part of an encoding or a hash. Shorter parts occur in unrelated ids by chance. */
const minEncodedPart = 8

/**
 * Creates a function that removes the API keys of a run. Finds parts of at least 6 characters, in upper and lower case,
 * reversed, escaped, in hexadecimal and in Base64, and hashes of the keys.
 *
 * Does not replace a part that occurs in the public API description, such as `integration` in a path. Its replacement
 * would reveal that the key contains the word.
 */
export function createKeyHider({ apiKey, secondApiKey = '', names, send }: KeyHiderOptions): HideKeys {
  const wholes = new Map<string, string>()
  /** Parts of the keys and of their encodings, by the length of the part. */
  const parts = new Map<number, Set<string>>()
  const keys = [secondApiKey, apiKey].filter((key) => key.length >= 4)
  for (const key of keys) {
    const shown = key === apiKey ? '<key>' : '<second key>'
    for (const form of wholeForms(key)) wholes.set(form, shown)
    for (const form of [...wholeForms(key), [...key].toReversed().join('')]) addParts(parts, form, minPart)
    for (const form of encodingsOf(key)) addParts(parts, form, minEncodedPart)
  }
  let publicText: string | undefined

  function placeholderFor(run: string): string | undefined {
    const whole = wholes.get(run)
    if (whole !== undefined) return whole
    const all = namesFor(names)
    publicText ??= lower(JSON.stringify([buildOpenApi({ ...all, offered: endpointNames }), all, send?.host]))
    return publicText.includes(lower(run)) ? undefined : derivedFromKey
  }

  function hide(text: string): string {
    const known = lower(text)
    let hidden = ''
    let end = 0
    for (let at = 0; at < text.length; at++) {
      const stop = endOfRun(known, at, parts)
      if (stop === at) continue
      const placeholder = placeholderFor(text.slice(at, stop))
      if (placeholder !== undefined) {
        hidden += text.slice(end, at) + placeholder
        end = stop
      }
      at = stop - 1
    }
    return hidden + text.slice(end)
  }

  const { apiKeyHeader } = namesFor(names)
  const isShortPart = (value: string) => value !== '' && keys.some((key) => lower(key).includes(lower(value)))
  return Object.assign(hide, {
    line([name, value]: HeaderLine): HeaderLine {
      const isKeyHeader = name.toLowerCase() === apiKeyHeader.toLowerCase()
      return [hide(name), isKeyHeader && value.length < minPart && isShortPart(value) ? derivedFromKey : hide(value)]
    },
  })
}

/** Returns the key as it occurs in a header, in a query and in JSON. */
function wholeForms(key: string): readonly string[] {
  return [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
}

/** Returns the encodings of a key, and its hashes. */
function encodingsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key)
  // The Base64 form of a key inside a longer string depends on the position of the key. The first characters depend on
  // the preceding bytes.
  const aligned = [0, 2, 3].map((start, offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(start),
  )
  const hashes = ['md5', 'sha1', 'sha256', 'sha512'].map((name) => createHash(name).update(key).digest())
  const base64 = [...aligned, ...hashes.map((hash) => hash.toString('base64'))].map((text) => text.replace(/=+$/, ''))
  return [
    bytes.toString('hex'),
    [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
    ...hashes.map((hash) => hash.toString('hex')),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

function addParts(parts: Map<number, Set<string>>, form: string, minLength: number): void {
  const known = lower(form)
  const length = Math.min(minLength, known.length)
  const same = parts.get(length) ?? new Set()
  parts.set(length, same)
  for (let at = 0; at + length <= known.length; at++) same.add(known.slice(at, at + length))
}

/** Returns the end of the longest run of overlapping parts that starts at a position; the position if none starts. */
function endOfRun(text: string, start: number, parts: ReadonlyMap<number, ReadonlySet<string>>): number {
  let end = start
  for (const [length, same] of parts) {
    let at = start
    while (same.has(text.slice(at, at + length))) at++
    if (at > start) end = Math.max(end, at - 1 + length)
  }
  return end
}

/** Converts a string to lower case, unless the conversion changes its length, as it does for `İ`. */
function lower(text: string): string {
  const lowered = text.toLowerCase()
  return lowered.length === text.length ? lowered : text
}
