/**
 * Characters that a terminal interprets, or that are invisible or change the direction of a text: control and format
 * characters, separators of lines and paragraphs, lone surrogates, and noncharacters, which XML forbids.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu

/** Replaces unsafe characters of a string by escapes such as `\u202e`. Line feeds and tabs remain. */
export function escapeUnsafe(text: string): string {
  return text.replace(unsafe, (letter) => (letter === '\n' || letter === '\t' ? letter : unicodeEscape(letter)))
}

/** Formats data as JSON in which all unsafe characters are escaped. */
export function toJson(data: unknown): string {
  // JSON escapes the control characters inside strings. The remaining line feeds separate the lines.
  return `${escapeUnsafe(JSON.stringify(data, null, 2))}\n`
}

/** Returns the JSON escapes of the UTF-16 code units of a character. */
function unicodeEscape(letter: string): string {
  return letter
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
