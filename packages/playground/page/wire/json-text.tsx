import { texts } from '../texts.ts'

/** A body as text: JSON with its parts in colors, anything else as it came. Never markup. */
export function JsonText({ text }: { text: string | null }) {
  if (text === null || text === '') return <p className="soft small">{texts.wire.noBody}</p>
  return (
    <pre className="code" tabIndex={0}>
      {tokensOf(indentJson(text)).map(({ kind, text: part }, index) => (
        <span key={index} className={kind}>
          {part}
        </span>
      ))}
    </pre>
  )
}

interface Token {
  readonly kind: 'name' | 'string' | 'literal' | 'plain'
  readonly text: string
}

function tokensOf(json: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g)) {
    tokens.push({ kind: 'plain', text: json.slice(end, match.index) })
    const [whole, string, colon] = match
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    tokens.push({ kind, text: whole })
    end = match.index + whole.length
  }
  return [...tokens, { kind: 'plain', text: json.slice(end) }]
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
