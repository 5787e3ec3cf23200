/** Placeholder for an API key. */
export const hiddenKey = '<key>'

/** A shorter key may be part of another word, so it is removed only as a whole word. */
const minUniqueLength = 16

/** Replaces an API key in a string, even if it is encoded as JSON or for a URL. */
export function hideKey(text: string, key: string): string {
  if (key === '') return text
  // Longest first, because a key that ends with a backslash is a prefix of its JSON form.
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].toSorted((a, b) => b.length - a.length)
  return text.replaceAll(new RegExp(forms.map(keyPattern).join('|'), 'g'), hiddenKey)
}

function keyPattern(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  return form.length < minUniqueLength ? String.raw`(?<![\w-])${literal}(?![\w-])` : literal
}
