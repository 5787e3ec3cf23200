import { resolve } from 'node:path'
import { StoreOpenError } from './store-open-error.ts'

/** Where the data is: a file, or a database server. */
export type StorePlace =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly url: string; readonly shown: string }

/** Reads `sqlite:<file>` or `postgres://…`; throws StoreOpenError for anything else, without repeating it. */
export function readStoreUrl(url: string): StorePlace {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'sqlite') return { dialect: 'sqlite', file: readFile(url.slice('sqlite:'.length)) }
  if (scheme === 'postgres' || scheme === 'postgresql') return { dialect: 'postgres', url, shown: readServer(url) }
  throw new StoreOpenError('The store must be sqlite:<file> or postgres://<user>:<password>@<host>/<database>.')
}

/** `sqlite:data/shop.db`, `sqlite:/data/shop.db` and `sqlite:///data/shop.db`; with two slashes it could be either. */
function readFile(path: string): string {
  const file = path.startsWith('///') ? path.slice(2) : path
  if (file === '' || file === ':memory:' || file.startsWith('//')) {
    throw new StoreOpenError('sqlite: must be followed by the name of a file, as in sqlite:/var/lib/shop.db.')
  }
  return resolve(file)
}

/** The server and database of an address, without user and password. */
function readServer(url: string): string {
  try {
    // A server on a socket has no host before the slash, which URL does not take.
    const { host, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
    return `${searchParams.get('host') ?? host}${pathname}`
  } catch {
    throw new StoreOpenError(
      'The address of the PostgreSQL server is not valid: it must be postgres://<user>:<password>@<host>/<database>, ' +
        'with special characters in the password percent-encoded.',
    )
  }
}
