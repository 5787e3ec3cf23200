import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { runLine, startLine } from '@storeport/testing/run-as-user'
import { expect } from 'vitest'

/** Matches a file that the tutorial shows after its name, or a shell block. */
const parts = /`(?<name>[\w.-]+)`(?: again)?:\n\n```(?:ts|json)\n(?<content>[^]*?)^```|^```sh\n(?<shell>[^]*?)^```/gm

/**
 * Follows the tutorial in a folder: writes its files and runs its commands in order, with a free port instead of 3000.
 * Returns the report of the kit, which is the output of the last `npm run check`.
 */
export async function walkTutorial(parent: string, env: NodeJS.ProcessEnv): Promise<string> {
  const port = String(await findFreePort())
  const settings = { ...env, PORT: port, STOREPORT_URL: `http://127.0.0.1:${port}` }
  const text = readFileSync('docs/guide/tutorial.md', 'utf8')
  let folder = parent
  let server: Awaited<ReturnType<typeof startLine>> | undefined
  let report = ''
  try {
    for (const { groups = {} } of text.matchAll(parts)) {
      const { name, content, shell = '' } = groups
      if (name !== undefined && content !== undefined) writeFileSync(join(folder, name), content)
      for (const line of shell.split('\n').filter((command) => command !== '')) {
        if (line === 'cd my-shop') {
          folder = join(parent, 'my-shop')
        } else if (line === 'npm start') {
          await server?.stop()
          server = await startLine(folder, line, settings, /\blistening\b/)
        } else if (line === 'npm run playground') {
          const playground = await startLine(folder, line, settings, /http:\/\/\S+token=\S+/)
          await playground.stop()
        } else {
          const { code, text: output } = await runLine(folder, line.replaceAll('3000', port), settings)
          expect(code, `${line}:\n${output}`).toBe(0)
          if (line.startsWith('(')) expect(output).toContain('"success":true')
          if (line === 'npm run check') report = output
        }
      }
    }
  } finally {
    await server?.stop()
  }
  return report
}
