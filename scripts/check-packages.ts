import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { listPublishedPackages } from '@storeport/testing/published-packages'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Checks that each published package has a README and passes publint and attw. */
const problems: string[] = []
for (const { folder: directory, ...manifest } of listPublishedPackages()) {
  if (!existsSync(`${directory}/README.md`)) problems.push(`${directory}: README.md is missing`)
  const { messages } = await publint({ pkgDir: directory, strict: true })
  for (const message of messages) problems.push(`${directory}: ${formatMessage(message, manifest) ?? message.code}`)
  const attw = spawnSync('npx', ['attw', '--pack', directory, '--quiet', '--profile', 'esm-only'], { encoding: 'utf8' })
  if (attw.status !== 0) problems.push(`${directory}: attw\n${attw.stdout}${attw.stderr}`)
  console.log(`${directory} checked`)
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
