/** The two parts of a request target. */
export interface Target {
  /** Path as it was sent. */
  readonly path: string
  /** Query as it was sent, without the question mark. */
  readonly query: string
}

/** Splits a request target (RFC 9112 section 3.2) at the first question mark; of `http://host/path` only the path counts. */
export function splitTarget(target: string): Target {
  if (!target.startsWith('/')) return splitAbsolute(target)
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, query: '' }
  return { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

function splitAbsolute(target: string): Target {
  const origin = /^https?:\/\/[^/?]*/i.exec(target)?.[0] ?? ''
  if (origin === '') return { path: target, query: '' }
  const rest = target.slice(origin.length)
  return splitTarget(rest.startsWith('/') ? rest : `/${rest}`)
}
