import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { runLine, startLine } from '@storeport/testing/run-as-user'
import { expect } from 'vitest'

/** Matches a file that the page names and shows, a shell block, or an inline command. */
const parts =
  /`(?<name>[\w./[\]-]+)`(?: again)?:\s+(?:<!-- .* -->\s+)?```(?:ts|json)\n(?<content>[^]*?)^```|^```sh\n(?<shell>[^]*?)^```|`(?<inline>STOREPORT_API_KEY=[^`]+)`/gm

/** Waits until the port accepts connections, because some servers print nothing when they start. */
const curlUntilReady = 'curl --silent --output /dev/null --retry 120 --retry-connrefused --retry-delay 1'

/**
 * Follows a page in a folder: writes its files and runs its commands in order, with a free port instead of 3000. Ends
 * with the first `curl` command, whose response the page shows, and then calls `visit` with the server's URL. Returns
 * the output of the last other command.
 */
export async function walkPage(
  page: string,
  parent: string,
  env: NodeJS.ProcessEnv,
  visit: (url: string) => Promise<void> = async () => {},
): Promise<string> {
  const port = String(await findFreePort())
  const url = `http://localhost:${port}`
  const settings = { ...env, PORT: port, STOREPORT_URL: url }
  const text = readFileSync(page, 'utf8')
  let folder = parent
  let server: Awaited<ReturnType<typeof startLine>> | undefined
  let output = ''
  try {
    for (const { groups = {}, index, 0: whole } of text.matchAll(parts)) {
      const { name, content, shell, inline } = groups
      if (name !== undefined && content !== undefined) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), content.replaceAll('3000', port))
      }
      for (const line of (shell ?? inline ?? '').replaceAll(/\\\n\s*/g, '').split('\n')) {
        // Skips `npm ci`, which needs a clone of the repository.
        if (line === '' || line.startsWith('npm ci')) continue
        if (line === 'cd my-shop') {
          folder = join(parent, 'my-shop')
        } else if (line === 'npm run playground') {
          await (await startLine(folder, line, settings, /http:\/\/\S+token=\S+/)).stop()
        } else if (/^(?:STOREPORT_API_KEY=\S+ npx (?:tsx|next)|npm start)/.test(line)) {
          await server?.stop()
          server = await startLine(folder, `env ${line}`, settings)
          await runLine(folder, `${curlUntilReady} ${url}/`, env)
        } else {
          const { code, text: printed } = await runLine(
            folder,
            line.replaceAll('3000', port).replace(/^curl/, 'curl --silent'),
            settings,
          )
          expect(code, `${line}:\n${printed}`).toBe(0)
          if (line.startsWith('(')) expect(printed).toContain('"success":true')
          else output = printed
          if (line.startsWith('curl')) {
            const rest = text.slice(index + whole.length)
            expect(printed).toBe(/^\s+(?:answers|The response is) `([^`]+)`/.exec(rest)?.[1])
            await visit(url)
            return output
          }
        }
      }
    }
  } finally {
    await server?.stop()
  }
  return output
}
