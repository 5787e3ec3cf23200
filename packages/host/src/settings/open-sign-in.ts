import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { openSecret } from './open-secret.ts'
import { SettingsError } from './settings-error.ts'

/** What lets a browser into the playground. */
export interface SignIn {
  /** The secret in the address that the host prints. */
  readonly token: string
  /** Name of the cookie under which a browser keeps it, for a host on that port: cookies are not separated by port. */
  cookieName(port: number): string
  /** The address to open, for a host that listens there. */
  address(url: string): string
}

/** Reads the token of the data folder, or makes one there, so that a restart signs nobody out; throws SettingsError. */
export async function openSignIn(folder: string): Promise<SignIn> {
  const { value: token, file } = await openSecret(folder, 'token')
  if (!/^[\w-]{16,256}$/.test(token)) {
    throw new SettingsError(`STOREPORT_DATA: ${file} holds no token: delete it to have one made`)
  }
  return {
    token,
    cookieName: (port) => {
      const place = createHash('sha256')
        .update(`${resolve(folder)}\n${port}`)
        .digest('hex')
      return `storeport-${place.slice(0, 16)}`
    },
    address: (url) => `${nameThisMachine(url)}/?token=${token}`,
  }
}

/** Browsers refuse the address that stands for all of a machine, and a cookie belongs to the name that the documents use. */
function nameThisMachine(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:|$)/, '//localhost')
}
