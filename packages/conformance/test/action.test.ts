import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json' with { type: 'json' }
import { apiKey, startShop } from './cli/command.ts'

const root = resolve(import.meta.dirname, '..')
const kit = `${process.execPath} ${join(root, 'bin/storeport-conformance.js')}`

/** Runs a script of the action with the environment of a GitHub job. Returns its exit code and its files. */
async function runScript(script: string, folder: string, env: Readonly<Record<string, string>>) {
  const file = (name: string) => join(folder, name)
  const child = spawn('bash', [join(root, 'action', script)], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: file('output'),
      GITHUB_STEP_SUMMARY: file('summary.md'),
      GITHUB_REPOSITORY: 'shop/api',
      REPORTS: file('reports'),
      STOREPORT_KIT: kit,
      ...env,
    },
  })
  const code = await new Promise((done) => child.once('close', done))
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => '')
  return { code, output: await read('output'), summary: await read('summary.md'), calls: await read('calls') }
}

const newFolder = () => mkdtemp(join(tmpdir(), 'conformance-action-'))

it('runs the kit, and writes the verdict, the first screen and the reports', async () => {
  const folder = await newFolder()
  const url = await startShop({ ...createMemoryStore(), getDiscount: () => Promise.reject(new Error('x')) })
  const ARGUMENTS = '\n  --only=getDiscount \n  --skip=routing.rejects-dots, emails.are-trimmed\n'
  const env = { STOREPORT_URL: url, STOREPORT_API_KEY: apiKey, ARGUMENTS }
  const { code, output, summary } = await runScript('run.sh', folder, env)
  expect(code).toBe(1)
  expect(output).toBe('verdict=\n')
  expect(summary).toMatch(/^<!-- storeport-conformance -->\n### StorePort conformance: selected checks\n``````text\n/)
  expect(summary).toContain('✗ 1.  The server threw an exception. Check its log.')
  expect(summary).not.toContain('\u001b')
  const reports = ['comment.md', 'errors.txt', 'first-screen.txt', 'report.json', 'report.xml']
  expect((await readdir(join(folder, 'reports'))).toSorted()).toEqual(reports)
})

it('runs the kit with the version of the action, and shows the message of a run that does not start', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'npx'), '#!/bin/sh\necho "no shop: $1 $2 $3" >&2\nexit 2\n', { mode: 0o755 })
  const { code, output, summary } = await runScript('run.sh', folder, { STOREPORT_KIT: '' })
  expect({ code, output }).toEqual({ code: 2, output: 'verdict=NOT CHECKED\n' })
  expect(summary).toContain(`\nno shop: --yes @storeport/conformance@${manifest.version} --json\n`)
})

it('comments on the pull request, and replaces its earlier comment', async () => {
  const folder = await newFolder()
  const gh = (ids: string) => `#!/bin/sh\necho "$@" >> calls\ncase "$*" in *--jq*) printf '${ids}' ;; esac\n`
  await writeFile(join(folder, 'gh'), gh(''), { mode: 0o755 })
  expect((await runScript('comment.sh', folder, { NUMBER: '7' })).calls).toMatch(
    /\napi --method POST repos\/shop\/api\/issues\/7\/comments -F body=@\S+\/comment\.md\n$/,
  )
  await writeFile(join(folder, 'gh'), gh('41\\n42\\n'), { mode: 0o755 })
  expect((await runScript('comment.sh', folder, { NUMBER: '7' })).calls).toMatch(
    /\napi --method PATCH repos\/shop\/api\/issues\/comments\/41 -F body=@\S+\/comment\.md\n$/,
  )
})

it('passes only declared inputs to its scripts, and no input as code', async () => {
  const { inputs, runs } = parse(await readFile(join(root, 'action.yml'), 'utf8'))
  const text = JSON.stringify(runs)
  for (const [, name = ''] of text.matchAll(/inputs\.(\w+)/g)) expect(Object.keys(inputs)).toContain(name)
  for (const name of Object.keys(inputs)) expect(text).toContain(`inputs.${name}`)
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{')
})
