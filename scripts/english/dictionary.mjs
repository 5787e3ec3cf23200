import { fileURLToPath } from 'node:url'
import { fromYAMLFilePath } from 'prh'

/*
 * Finds hard words in a text, with the dictionary that textlint uses for pages. The file is JavaScript, because oxlint loads
 * it without a build, on every version of Node.
 */

const engine = fromYAMLFilePath(fileURLToPath(new URL('words.yml', import.meta.url)))

/** Returns the hard words of a text outside backticks, each with its replacement. */
export function findHardWords(text) {
  const prose = text.replaceAll(/`[^`]*`/g, (code) => '_'.repeat(code.length))
  return engine
    .makeChangeSet('', prose)
    .diffs.map(({ matches, rule }) => ({ word: matches[0].trim(), expected: rule.expected }))
}

const sql =
  /^\s*(?:select|insert|update|delete|create|alter|drop|with|set|begin|pragma|from|where|and|or|on|order by)\s/i

/** Whether a string is text for people: three words in a row that are not SQL. */
export function isProse(text) {
  return /[A-Za-z][a-z]*[,;:]? [a-z]+[,;:]? [a-z]/.test(text) && !sql.test(text)
}
