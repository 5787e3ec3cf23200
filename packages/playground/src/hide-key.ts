/** Placeholder that replaces an API key. */
export const hiddenKey = '<key>'

/** Minimum length to replace a key inside a word, in characters. A shorter key could be part of another word. */
const minUniqueLength = 16

/** Replaces an API key in a string, even if the key is JSON-encoded or URL-encoded. */
export function hideKey(text: string, key: string): string {
  if (key === '') return text
  // Matches the longest form first, because a key that ends with a backslash is a prefix of its JSON form.
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].toSorted((a, b) => b.length - a.length)
  return text.replaceAll(new RegExp(forms.map(keyPattern).join('|'), 'g'), hiddenKey)
}

function keyPattern(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  return form.length < minUniqueLength ? String.raw`(?<![\w-])${literal}(?![\w-])` : literal
}
