import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

const manifests = ['packages', 'examples']
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}/package.json`))
  .filter((file) => existsSync(file))

/** Folder with copies of all files that contain versions. The release script edits the copies in this folder. */
let copy = ''
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'storeport-release-'))
  for (const file of [...manifests, 'package-lock.json', 'CHANGELOG.md']) {
    mkdirSync(join(copy, file, '..'), { recursive: true })
    cpSync(file, join(copy, file))
  }
  onTestFinished(() => rmSync(copy, { recursive: true }))
})

function release(...args: string[]) {
  const script = [resolve('scripts/release.ts'), ...args]
  const loader = resolve('node_modules/tsx/dist/loader.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', loader, ...script], {
    cwd: copy,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

function readCopy(file: string) {
  return JSON.parse(readFileSync(join(copy, file), 'utf8'))
}

it('sets the version of every package and of the dependencies between packages', () => {
  const { version } = readCopy('packages/core/package.json')
  expect(release('version', '9.8.7')).toEqual({ status: 0, text: expect.stringContaining('are at 9.8.7') })
  for (const file of manifests) {
    const before = readFileSync(file, 'utf8')
    const after = readFileSync(join(copy, file), 'utf8')
    // The rest of the file must stay the same, including whitespace.
    const ours = new RegExp(`("version"|"@storeport/[a-z-]+"): "${version.replaceAll('.', '\\.')}"`, 'g')
    expect(after).toBe(before.replace(ours, '$1: "9.8.7"'))
    expect(readCopy(file).version).toBe('9.8.7')
  }
  const { packages } = readCopy('package-lock.json')
  for (const file of manifests) {
    const { name, dependencies } = readCopy(file)
    const entry = packages[file.replace('/package.json', '')]
    // An example with its own tool is not an npm workspace.
    if (entry === undefined) continue
    expect(entry).toMatchObject({
      version: '9.8.7',
      ...(dependencies !== undefined && { dependencies }),
    })
    expect(packages[`node_modules/${name}`]).toMatchObject({ link: true })
  }
})

it('rejects invalid versions and commands', () => {
  for (const version of ['1.2', 'v1.2.3', '']) {
    expect(release('version', version)).toEqual({ status: 1, text: expect.stringContaining('such as 1.2.3') })
  }
  expect(release('publish').text).toContain('usage')
  expect(readCopy('packages/core/package.json')).toEqual(JSON.parse(readFileSync('packages/core/package.json', 'utf8')))
})

it('moves unreleased changes under the version and date, and rejects a version without changes', () => {
  expect(release('version', '9.8.7').status).toBe(0)
  const today = new Date().toISOString().slice(0, 10)
  const text = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(text).toContain(`## Unreleased\n\n## 9.8.7 (${today})\n\nFirst version:\n\n- `)
  expect(release('version', '9.8.8')).toEqual({
    status: 1,
    text: expect.stringContaining('nothing under "Unreleased"'),
  })
  expect(readCopy('packages/core/package.json').version).toBe('9.8.7')
})

it('writes the repository URL to every package, and does not publish without a repository URL', () => {
  expect(release('--publish')).toEqual({ status: 1, text: expect.stringContaining('Run release.ts settings') })
  const args = ['settings', '--repository', 'https://git.example/owner/name.git', '--security-contact']
  expect(release(...args, 'security@shop.example').status).toBe(0)
  const { homepage, bugs, repository } = readCopy('packages/core/package.json')
  expect({ homepage, bugs, repository }).toEqual({
    homepage: 'https://git.example/owner/name/tree/main/packages/core#readme',
    bugs: 'https://git.example/owner/name/issues',
    repository: { type: 'git', url: 'git+https://git.example/owner/name.git', directory: 'packages/core' },
  })
  expect(readCopy('examples/express/package.json')).not.toHaveProperty('repository')
  spawnSync('git', ['init', '--quiet'], { cwd: copy })
  // With a repository, the release script next checks the working tree, in which every file is untracked.
  expect(release('--publish').text).toContain('The working tree has uncommitted changes')
  const file = join(copy, 'packages/rules/package.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('owner/name/issues', 'somebody/else/issues'))
  expect(release('--publish').text).toContain('packages/rules names another repository than release.json')
})

it.each([
  [['--repository', 'git.example', '--security-contact', 'a@shop.example'], '--repository: "git.example" is not a URL'],
  [
    ['--repository', 'https://git.example/a/b'],
    '--security-contact: "" is neither an email address nor an https:// URL',
  ],
  [['--repo', 'https://git.example/a/b'], "Unknown option '--repo'"],
])('rejects invalid settings: %j', (args, message) => {
  expect(release('settings', ...args)).toEqual({ status: 1, text: expect.stringContaining(message) })
  expect(existsSync(join(copy, 'release.json'))).toBe(false)
})

it('does not publish packages with different versions', () => {
  const file = join(copy, 'packages/rules/package.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/"version": "[^"]+"/, '"version": "9.8.7"'))
  expect(release('--publish')).toEqual({
    status: 1,
    text: expect.stringContaining('The packages have different versions'),
  })
  writeFileSync(file, text.replace(/"@storeport\/core": "[^"]+"/, '"@storeport/core": "9.8.7"'))
  expect(release('--publish')).toEqual({
    status: 1,
    text: expect.stringContaining('packages/rules depends on another version'),
  })
})

it('does not publish from a working tree with uncommitted changes', () => {
  spawnSync('git', ['init', '--quiet'], { cwd: copy })
  expect(release('--dry-run')).toEqual({
    status: 1,
    text: expect.stringContaining('The working tree has uncommitted changes'),
  })
})
