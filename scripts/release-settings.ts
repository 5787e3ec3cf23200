import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Release settings that no other file in this repository contains. */
export interface ReleaseSettings {
  /** URL of the repository, `https://…` without `.git`. */
  readonly repository: string
  /** Contact for vulnerability reports: an email address or the URL of a page. */
  readonly securityContact: string
}

const file = 'release.json'

/** Reads the settings; returns `undefined` until `release.ts settings` has written them. */
export function readReleaseSettings(): ReleaseSettings | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Writes the settings; throws TypeError with the reason if a setting is invalid. */
export function writeReleaseSettings({ repository, securityContact }: ReleaseSettings): void {
  const url = repository.replace(/(?:\.git)?\/*$/, '')
  if (!/^https:\/\/[^/\s]+\/\S+$/.test(url)) {
    throw new TypeError(
      `--repository: ${JSON.stringify(repository)} is not a URL such as https://git.example/owner/name.`,
    )
  }
  if (!/^(?:https:\/\/\S+|[^@\s]+@[^@\s]+)$/.test(securityContact)) {
    throw new TypeError(
      `--security-contact: ${JSON.stringify(securityContact)} is neither an email address nor an https:// URL.`,
    )
  }
  writeFileSync(file, `${JSON.stringify({ repository: url, securityContact }, null, 2)}\n`)
}

/** Returns the fields of a package.json that contain the repository URL; an empty object if there are no settings. */
export function repositoryFields(settings: ReleaseSettings | undefined, folder: string) {
  if (settings === undefined) return {}
  const { repository: url } = settings
  return {
    homepage: `${url}/tree/main/${folder}#readme`,
    bugs: `${url}/issues`,
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
  }
}
