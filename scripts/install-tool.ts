import { installTool } from '@storeport/testing/install-tool'
import { linkTool } from '@storeport/testing/link-tool'

/** Installs tools by the names of their folders in `tools`. With `--link`, links them into the current package as well. */
const [link, ...others] = process.argv.slice(2)
const names = link === '--link' ? others : process.argv.slice(2)
for (const name of names) await (link === '--link' ? linkTool(name, '.') : installTool(name))
