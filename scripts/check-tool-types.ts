import { spawnSync } from 'node:child_process'
import { linkTool } from '@storeport/testing/install-tool'

/** Checks the types of code that imports packages from `tools`. `npm run types` excludes this code. */
const folders = {
  'examples/worker': 'worker',
  'examples/next': 'next',
  'test/mounts/next-app': 'next',
  'tools/docs': 'docs',
}
for (const [folder, tool] of Object.entries(folders)) {
  await linkTool(tool, folder)
  const words = ['node_modules/typescript-7/bin/tsc', '--noEmit', '-p', folder]
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
