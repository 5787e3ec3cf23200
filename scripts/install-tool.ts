import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { installTool } from '@storeport/testing/install-tool'

/** Installs tools by the names of their folders in `tools`; with `--link`, for the package in this folder too. */
const [link, ...others] = process.argv.slice(2)
const names = link === '--link' ? others : process.argv.slice(2)
for (const name of names) {
  await installTool(name)
  if (link !== '--link') continue
  try {
    symlinkSync(resolve(import.meta.dirname, '../tools', name, 'node_modules'), 'node_modules', 'junction')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
