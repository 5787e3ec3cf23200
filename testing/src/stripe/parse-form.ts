/** A value in a form or query string: a string, or a list or object in bracket notation. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }

/**
 * Parses a form or query string such as `items[0][price]=p&expand[]=customer` (docs.stripe.com/api?lang=curl).
 * An object whose names are 0, 1, 2 and so on becomes a list.
 */
export function parseForm(text: string): { [name: string]: FormValue } {
  const root: Branch = new Map()
  for (const [key, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = key.split('[')
    put(root, [first, ...rest.map((part) => part.replace(/\]$/, ''))], value)
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, readNode(node)]))
}

type Branch = Map<string, Branch | string>

function put(branch: Branch, path: readonly string[], value: string): void {
  const [head = '', ...rest] = path
  const name = head === '' ? String(branch.size) : head
  if (rest.length === 0) {
    branch.set(name, value)
    return
  }
  const known = branch.get(name)
  const next: Branch = typeof known === 'object' ? known : new Map<string, Branch | string>()
  branch.set(name, next)
  put(next, rest, value)
}

function readNode(node: Branch | string): FormValue {
  if (typeof node === 'string') return node
  const names = [...node.keys()]
  if (names.every((name, index) => name === String(index))) return [...node.values()].map(readNode)
  return Object.fromEntries([...node].map(([name, value]) => [name, readNode(value)]))
}
