import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

/*
 * Adds missing integrity digests to the lock files. If node_modules exists when npm updates a lock file, npm omits the
 * digests of packages for other platforms.
 */
const files = ['package-lock.json', ...readdirSync('tools').map((tool) => `tools/${tool}/package-lock.json`)]
for (const file of files.filter((each) => existsSync(each))) {
  const lock: {
    packages: Record<string, { name?: string; version?: string | undefined; integrity?: string; link?: boolean }>
  } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (name === undefined || entry.link || entry.integrity !== undefined) continue
    const found = execFileSync('npm', ['view', `${entry.name ?? name}@${entry.version}`, 'dist.integrity'], {
      encoding: 'utf8',
    })
    const { version, ...others } = entry
    lock.packages[path] = { version, integrity: found.trim(), ...others }
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
