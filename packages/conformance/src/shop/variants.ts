/** Reserved domains, at which no person has an address. */
const reserved = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost)$/i

/** Letters that a database or `toUpperCase` treats as the letter of the key. */
const confusables = { s: 'ſ', k: '\u212a', a: 'á', e: 'é', i: 'ı', '@': '＠', '-': '‐' }

/** Control characters, quotes and fragments of SQL. */
const ends = "\u0000|\u0000x|\nx|\"|\\|'|;|/|/..|,x|%00|\u00ad|\u200b|\u0301|' --|' OR 'a'='a".split('|')

/** Patterns, templates and values of query languages. */
const patterns = '%|_|*|.*|?|\' OR \'1\'=\'1|" OR ""="|{"$ne":null}|[object Object]|__proto__|$(id)|{{x}}|../x'.split(
  '|',
)

/**
 * Returns strings that differ from a customer's email address by one mutation: wildcards, parts, additions, lists,
 * confusable letters, control characters and fragments of query languages. No string is the address of a customer.
 *
 * For an address at a real domain, returns only strings that are not email addresses.
 */
export function similarEmails(email: string, other: string): readonly string[] {
  const [name = '', domain = ''] = email.split('@')
  const lists = [`${email},${other}`, `${email};${other}`, `${email} ${other}`, `"${email}"`, `<${email}>`]
  const parts = [`mailto:${email}`, `${name}@`, `@${domain}`, `${name}@%`, email.replace('@', '%40'), `${email}%20`]
  const invalid = [...ends.map((end) => email + end), ...patterns, ...lists, ...parts]
  if (!reserved.test(domain)) return invalid
  const locals = [`_${name.slice(1)}`, `?${name.slice(1)}`, `${name.slice(0, 2)}%`]
  const longer = [`${name}x`, `x${name}`, `${name}+x`, `${name}'||'`, `${name}/**/`, '%', '*', `${name}@x`]
  const more = locals.concat(longer).map((local) => (local.includes('@') ? `${local}.${domain}` : `${local}@${domain}`))
  // A shorter name, such as ann1 instead of ann12, can be another customer. A shorter domain is not reserved, and not used.
  return [...invalid, ...similarLetters(email), ...more, `${email}.example`, email.slice(0, -1)]
}

/**
 * Returns strings that differ from an id by one mutation, and that are different ids: letter case, wildcards, parts,
 * additions, confusable letters and an encoded letter.
 */
export function similarIds(id: string): readonly string[] {
  const cases = [id.toUpperCase(), id.toLowerCase(), id.slice(0, 1).toUpperCase() + id.slice(1)]
  const parts = [`${id}%`, `%${id}`, `${id.slice(0, -1)}_`, `${id.slice(0, -1)}%`, id.slice(0, -1), id.slice(1)]
  const longer = ['* ', '0*', '+*', '/*', "'*'", '"*"', '*,*', '["*"]', '*.0', '*~'].map((one) =>
    one.replaceAll('*', id),
  )
  const others = [...similarLetters(id), ...encodedIn(id), ...cases, ...parts, ...longer, ...patterns]
  return [...new Set([...others, ...ends.map((end) => id + end)])].filter((other) => other !== id && other !== '')
}

/** Returns values of a date field that are not dates of the form `YYYY-MM-DD`, each similar to a valid date. */
export function similarDates(date: string): readonly unknown[] {
  const [year = '', month = '', day = ''] = date.split('-')
  const fullWidth = date.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const times = ['T00:00:00Z', 'T00:00:00', 'Z', ' 00:00', '-01', '\u0000', "'", `\n${date}`, `,${date}`]
  const orders = [`${year}/${month}/${day}`, `${day}.${month}.${year}`, `${month}/${day}/${year}`, year + month + day]
  const parts = ['', '-01', '-W10-1', '-070', '-1-5', '-00-10', '-13-01', '-04-31', '-02-30', '-05-00', '-05-32']
  const words = ['+1 day', 'next month', 'now', 'today', 'Infinity', 'CURRENT_DATE', `+${date}`, `1${date}`, fullWidth]
  const values = [Number(year + month + day), Date.parse(date), { $gt: date }, [date], true]
  return [...times.map((end) => date + end), ...orders, ...parts.map((end) => year + end), ...words, ...values]
}

/**
 * Returns the text with one letter replaced by a confusable letter, for each letter in the table. Ignores the letter
 * case, because codes are often in upper case.
 */
function similarLetters(text: string): readonly string[] {
  return Object.entries(confusables).flatMap(([letter, other]) => {
    const place = text.toLowerCase().indexOf(letter)
    return place === -1 ? [] : text.slice(0, place) + other + text.slice(place + 1)
  })
}

/** Returns the text with its last character encoded for a URL, for HTML and for JSON. */
function encodedIn(text: string): readonly string[] {
  const start = text.slice(0, -1)
  const code = text.charCodeAt(text.length - 1)
  const hex = code.toString(16)
  if (code > 0x7f) return []
  return [`${start}%${hex}`, `${start}&#${code};`, `${start}\\u00${hex}`]
}
