/** What is shown instead of a key. */
export const hiddenKey = '<key>'

/** A shorter key may be part of an ordinary word, and is removed only where it is a word of its own. */
const tellingLength = 16

/** Takes a secret out of whatever goes to the page, also where a shop repeats it in an answer, encoded or not. */
export function hideKey(text: string, key: string): string {
  if (key === '') return text
  // The longest first: a key that ends in a backslash is the beginning of its own JSON form.
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)].toSorted((a, b) => b.length - a.length)
  return text.replaceAll(new RegExp(forms.map(patternOf).join('|'), 'g'), hiddenKey)
}

function patternOf(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  return form.length < tellingLength ? String.raw`(?<![\w-])${literal}(?![\w-])` : literal
}
