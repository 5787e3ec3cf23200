import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a release needs to know that no file of this repository can tell. */
export interface ReleaseSettings {
  /** The address of the repository, `https://…` without `.git`. */
  readonly repository: string
  /** Where weaknesses are reported: an address of email, or of a page. */
  readonly securityContact: string
}

const file = 'release.json'

/** Reads the settings; `undefined` until `release.ts settings` has written them. */
export function readReleaseSettings(): ReleaseSettings | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Writes the settings; throws TypeError that says what is wrong with them. */
export function writeReleaseSettings({ repository, securityContact }: ReleaseSettings): void {
  const url = repository.replace(/(?:\.git)?\/*$/, '')
  if (!/^https:\/\/[^/\s]+\/\S+$/.test(url)) {
    throw new TypeError(
      `--repository: ${JSON.stringify(repository)} is no address such as https://git.example/owner/name`,
    )
  }
  if (!/^(?:https:\/\/\S+|[^@\s]+@[^@\s]+)$/.test(securityContact)) {
    throw new TypeError(
      `--security-contact: ${JSON.stringify(securityContact)} is neither an email address nor https://…`,
    )
  }
  writeFileSync(file, `${JSON.stringify({ repository: url, securityContact }, null, 2)}\n`)
}

/** The fields of a package.json that name the repository; none until it is known. */
export function repositoryFields(settings: ReleaseSettings | undefined, folder: string) {
  if (settings === undefined) return {}
  const { repository: url } = settings
  return {
    homepage: `${url}/tree/main/${folder}#readme`,
    bugs: `${url}/issues`,
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
  }
}
