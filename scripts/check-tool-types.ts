import { spawnSync } from 'node:child_process'
import { linkTool } from '@storeport/testing/link-tool'

/** Checks the types of what is written against a tool, which `npm run types` leaves out. */
const folders = { 'examples/worker': 'worker', 'examples/next': 'next', 'test/mounts/next-app': 'next' }
for (const [folder, tool] of Object.entries(folders)) {
  await linkTool(tool, folder)
  const words = ['node_modules/typescript-7/bin/tsc', '--noEmit', '-p', folder]
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
