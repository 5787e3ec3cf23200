import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Adds optional packages for other platforms to package-lock.json. npm omits these packages if the registry does not
 * contain them, but `npm ci` rejects a lock file without them. Run this script after each `npm install`.
 */
interface Entry {
  version?: string
  dev?: boolean
  optional?: boolean
  cpu?: string[]
  os?: string[]
  optionalDependencies?: Record<string, string>
}

const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32 windows'.split(' ')
/** Uses the first processor that matches, because a name that contains arm64 also contains arm. */
const processors = 'arm64 aarch64 x64 ia32 armv7 arm loong64 mips64el ppc64 riscv64 s390x wasm32'.split(' ')

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
let added = 0
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const version = range.replace(/^[\^~]/, '')
    const own = `${path}/node_modules/${name}`
    const shared = `node_modules/${name}`
    const os = systems.find((system) => name.includes(system))
    const cpu = processors.find((processor) => name.includes(processor))
    if (own in lock.packages || (os === undefined && cpu === undefined)) continue
    if (lock.packages[shared]?.version === version) continue
    added += 1
    lock.packages[shared in lock.packages ? own : shared] = {
      version,
      ...(cpu !== undefined && { cpu: [cpu.replace('aarch64', 'arm64').replace('armv7', 'arm')] }),
      ...(dev !== undefined && { dev }),
      optional: true,
      ...(os !== undefined && { os: [os.replace('windows', 'win32')] }),
    }
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`Added ${added} packages of other platforms.`)
