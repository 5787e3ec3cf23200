/** Describes where JSON is invalid. */
export function describeMistake(text: string): string {
  if (text.trim() === '') return 'the body is empty'
  const before = text.slice(0, findJsonMistake(text))
  if (before.length === text.length) return 'unexpected end'
  return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`
}

const space = String.raw`[ \t\n\r]*`
const sign = String.raw`[{}[\],:]`
const letters = String.raw`[^"\\\0-\x1f]*`
const escaped = String.raw`\\(?:["\\/bfnrt]|u[\da-fA-F]{4})`
const text = `"${letters}(?:${escaped}${letters})*"`
const word = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])`
const nextToken = new RegExp(`${space}(?:(${sign})|(${text})|${word})`, 'y')
const nextSpace = new RegExp(space, 'y')

/**
 * Returns the index of the first character that makes JSON invalid. Returns the length of the text if the JSON is only
 * incomplete.
 */
export function findJsonMistake(json: string): number {
  const open: string[] = []
  let expected = valueFirst
  for (let at = 0; ; at = nextToken.lastIndex) {
    nextToken.lastIndex = at
    const match = nextToken.exec(json)
    const next = match === null ? undefined : expected(match[1] ?? (match[2] === undefined ? 'word' : 'text'), open)
    if (next === undefined) return startOf(json, at)
    expected = next
  }
}

/** State of the parser. Takes a token and returns the next state, or `undefined` for an unexpected token. */
type Expected = (token: string, open: string[]) => Expected | undefined

const valueFirst: Expected = (token, open) => {
  if (token === '{') return opened(open, '}', nameOrEnd)
  if (token === '[') return opened(open, ']', valueOrEnd)
  return token === 'text' || token === 'word' ? after : undefined
}
const valueOrEnd: Expected = (token, open) => (token === ']' ? after(token, open) : valueFirst(token, open))
const nameFirst: Expected = (token) => (token === 'text' ? colon : undefined)
const nameOrEnd: Expected = (token, open) => (token === '}' ? after(token, open) : nameFirst(token, open))
const colon: Expected = (token) => (token === ':' ? valueFirst : undefined)
const after: Expected = (token, open) => {
  if (token === ',' && open.length > 0) return open.at(-1) === '}' ? nameFirst : valueFirst
  return open.length > 0 && token === open.at(-1) ? closed(open) : undefined
}

function opened(open: string[], end: string, next: Expected): Expected {
  open.push(end)
  return next
}

function closed(open: string[]): Expected {
  open.pop()
  return after
}

function startOf(json: string, at: number): number {
  nextSpace.lastIndex = at
  nextSpace.exec(json)
  return nextSpace.lastIndex
}
