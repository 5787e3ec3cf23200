/** The parts of an address that stay on the page's own host. */
interface Address {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/** An address without the token, which is only for the first request; everything else in it stays as it is. */
export function hideToken({ pathname, search, hash }: Address): string {
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== '' && !new URLSearchParams(pair).has('token'))
  return pathname + (others.length === 0 ? '' : `?${others.join('&')}`) + hash
}
